/** Facts about a browser that registration asks for, with arbitrary values. */
export type Device = Record<
  'userAgent' | 'screenResolution' | 'timezone' | 'language' | 'platform' | 'plugins' | 'canvas' | 'webgl',
  string
>;

export const deviceOf = (facts: Partial<Device> = {}): Device => ({
  userAgent: 'Test',
  screenResolution: '1440x900',
  timezone: 'Asia/Seoul',
  language: 'en',
  platform: 'Linux',
  plugins: '',
  canvas: 'c',
  webgl: 'w',
  ...facts,
});

/** The same facts as registration sends them. */
export const deviceTextOf = (facts: Partial<Device> = {}): string =>
  Buffer.from(JSON.stringify(deviceOf(facts))).toString('base64');
