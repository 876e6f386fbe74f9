/**
 * How long a payment takes, in the reader's language. The site's setting is a range of business days such as `1–3` or
 * `1–3 business days`; anything else is an operator's own wording and stays as it is.
 */
export function processingTimeIn(language: 'en' | 'ko', setting: string): string {
  const range = /^(\d+)\s*(?:[-–~]|to)\s*(\d+)(?:\s*business days?)?$/i.exec(setting.trim());
  if (range === null) return setting;
  const [, from, to] = range;
  return language === 'ko' ? `영업일 ${from}~${to}일` : `${from}–${to} business days`;
}
