/** The browser and system of a user agent. Server and web name a session in the same words. */

/** The names of the browser and the system; null if unknown. */
export type Device = { browser: string | null; system: string | null; isPhone: boolean };

/** The first match wins. Browsers name each other, so the most specific patterns come first. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bWhale\//, 'Whale'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstOf = (rules: readonly [RegExp, string][], text: string) =>
  rules.find(([pattern]) => pattern.test(text))?.[1] ?? null;

export function deviceOf(userAgent: string): Device {
  const system = firstOf(systems, userAgent);
  return {
    browser: firstOf(browsers, userAgent),
    system,
    isPhone: system === 'iPhone' || (system === 'Android' && /\bMobile\b/.test(userAgent)),
  };
}

/** Names the device of a user agent: `Chrome on Windows`. The name holds no text of the user agent itself. */
export function deviceNameIn(language: 'en' | 'ko', userAgent: string): string {
  const { browser, system } = deviceOf(userAgent);
  const known = browser ?? (language === 'ko' ? '알 수 없는 브라우저' : 'Unknown browser');
  if (system === null) return known;
  return language === 'ko' ? `${system}의 ${known}` : `${known} on ${system}`;
}
