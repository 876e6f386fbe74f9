import { passwordText } from '#contract/password-text.ts';

/** The 10,000 most common passwords. The list is loaded at the first use, because it is large. */
const COMMON_MAX = 10_000;

let common: Promise<Set<string>> | undefined;

async function readCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set((dictionary['passwords-common'] as string[]).slice(0, COMMON_MAX));
}

/** Whether a password is one of the most common, or repeats one, or repeats at most three characters. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= readCommonPasswords();
  const known = await common;
  const lower = passwordText(password).toLowerCase();
  const [, repeated] = /^(.+?)\1+$/.exec(lower) ?? [];
  return known.has(lower) || (repeated !== undefined && (repeated.length <= 3 || known.has(repeated)));
}

/** The fault of a common password of live mode's first operator, for `readConfig`, which itself loads nothing. */
export async function commonPasswordFaults({ MODE, ADMIN_PASSWORD }: NodeJS.ProcessEnv): Promise<string[]> {
  const isChecked = MODE?.trim() === 'live' && ADMIN_PASSWORD !== undefined;
  if (!isChecked || !(await isCommonPassword(ADMIN_PASSWORD.trim()))) return [];
  return ['ADMIN_PASSWORD: is one of the most common passwords'];
}
