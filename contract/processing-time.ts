const RANGE = /^(\d+)\s*(?:[-–~]|to)\s*(\d+)(?:\s*business days?)?$/i;

/** The business days within which a payment is promised; null if the operator worded it otherwise. */
export function promisedDaysOf(setting: string): number | null {
  const range = RANGE.exec(setting.trim());
  return range === null ? null : Number(range[2]);
}

/**
 * Words the processing time of payments in the reader's language. A setting such as `1–3` or `1–3 business days` is
 * translated; any other text is the operator's own wording and is kept.
 */
export function processingTimeIn(language: 'en' | 'ko', setting: string): string {
  const range = RANGE.exec(setting.trim());
  if (range === null) return setting;
  const [, from, to] = range;
  return language === 'ko' ? `영업일 ${from}~${to}일` : `${from}–${to} business days`;
}
