import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { markDenied, voidDenials } from './queries.ts';

/**
 * The links "this was not me" in the mails of notices. The token names the notice and is signed, so that nothing is
 * stored and every attempt to send makes the same mail. It works once, for 30 days, only for kinds that are always
 * mailed, and not after a reset of the password that answered a denial. Access does what follows.
 */
const PURPOSE = 'denial of a notice';
const TOKEN = /^(\d{9})-(\d{1,18})-([\w-]{20,80})$/;

/** Makes the token for a notice. */
export function denialTokenOf(
  { secrets }: Pick<Platform, 'secrets'>,
  memberId: number,
  memberNumber: bigint,
): string {
  const name = `${memberId}-${memberNumber}`;
  return `${name}-${secrets.sign(name, PURPOSE)}`;
}

/**
 * Uses a token and returns its member.
 * @throws Refusal `wrong-code` if it is malformed, used void or of no such notice; `code-expired`
 */
export async function redeemDenial(
  { secrets }: Pick<Platform, 'secrets'>,
  tx: Tx,
  token: string,
): Promise<number> {
  const [, memberId = '', memberNumber = '', signature = ''] = TOKEN.exec(token) ?? [];
  if (!secrets.isSigned(`${memberId}-${memberNumber}`, signature, PURPOSE)) throw wrongLink();
  const denied = await markDenied(tx, Number(memberId), BigInt(memberNumber));
  if (denied === undefined) throw wrongLink();
  if (!denied.isFresh) throw refuse('code-expired', 'This link has expired.');
  return Number(memberId);
}

/**
 * Makes the links of the member's notices until now void, because what they tell of was answered. It locks the member's
 * counts, like the notice that follows.
 */
export const endDenials = async (tx: Tx, memberId: number): Promise<void> => {
  await voidDenials(tx, memberId);
};

const wrongLink = () => refuse('wrong-code', 'This link is not valid any more.');
