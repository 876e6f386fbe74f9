import type { Database } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { setNews } from '../members/members.ts';

/**
 * The end of broadcasts by the link in a mail. The token names the member and is signed, so nothing is stored and the
 * link works as long as the account. It switches `emailNotifications` off, which the member sees in the settings, and
 * nothing else: notices about money, logins and security have switches of their own.
 */
const PURPOSE = 'unsubscribe from broadcasts';
const TOKEN = /^(\d{9})-([\w-]{20,80})$/;

/** Makes the token of a member. */
export const unsubscribeTokenOf = ({ secrets }: Pick<Platform, 'secrets'>, memberId: number): string =>
  `${memberId}-${secrets.sign(String(memberId), PURPOSE)}`;

/** Switches broadcasts to a member off or on. A wrong token changes nothing and answers false. */
export async function switchNews(
  { database, secrets }: Pick<Platform, 'secrets'> & { database: Database },
  token: string,
  wanted: boolean,
): Promise<boolean> {
  const [, memberId = '', signature = ''] = TOKEN.exec(token) ?? [];
  if (!secrets.isSigned(memberId, signature, PURPOSE)) return false;
  await setNews(database, Number(memberId), wanted);
  return true;
}
