/**
 * Words the processing time of payments in the reader's language. A setting such as `1–3` or `1–3 business days` is
 * translated; any other text is the operator's own wording and is kept.
 */
export function processingTimeIn(language: 'en' | 'ko', setting: string): string {
  const range = /^(\d+)\s*(?:[-–~]|to)\s*(\d+)(?:\s*business days?)?$/i.exec(setting.trim());
  if (range === null) return setting;
  const [, from, to] = range;
  return language === 'ko' ? `영업일 ${from}~${to}일` : `${from}–${to} business days`;
}
