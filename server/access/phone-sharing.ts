import type { CodeRow } from './phone-queries.ts';

/**
 * Who gets which code to a number that several members ask for. The service keeps one code per number, for ten minutes,
 * with five messages and five checks. It can't tell the number's owner from strangers, so nobody may keep another
 * member from a code:
 * - Members share a code. Each has one of its checks, and a second one while no other member's is used for it.
 * - A code that has no message or no check left, or is half expired, is replaced for who asks. From the third member on
 *   so is any.
 * - But no code is replaced while another member may be about to enter it: one who asked within three minutes and has
 *   tries left. Unless who asks now asked for fewer codes within the hour, or for as many with an older account. So new
 *   accounts can't keep a number, and an account that asks again and again gives way.
 */
const SENDS_MAX = 5;
const CHECKS_MAX = 5;
/** The checks that a member of a shared code has at most. */
const SHARED_CHECKS_MAX = 2;
/** A code that is older is not sent again, because it would expire before it is typed. */
const SENT_AGAIN_S = 300;
const KEPT_S = 180;
/** A call to the service ends before. */
const SENDING_S = 15;

export const TRIES_MAX = 5;

type Decision = { kind: 'new' } | { kind: 'shared' } | { kind: 'wait'; seconds: number };
type Asker = { memberSince: Date; asksCount: number };

const triesOf = ({ triesLeft }: CodeRow): number => TRIES_MAX - triesLeft;

/** The checks that are kept for these members, one for each that has used none. */
const checksKeptFor = (members: readonly CodeRow[]): number =>
  members.filter((one) => triesOf(one) === 0).length;

/** Whether a member may have the service check a code. `others` are those who share it. */
export function mayCheck(own: CodeRow, others: readonly CodeRow[]): boolean {
  if (others.length === 0) return own.checksCount < CHECKS_MAX;
  if (triesOf(own) >= SHARED_CHECKS_MAX) return false;
  return own.checksCount + 1 + checksKeptFor(others) <= CHECKS_MAX;
}

/** Decides about a member who asks for a code. `own` is their live code to the number, `others` are other members'. */
export function decideCode(asker: Asker, own: CodeRow | undefined, others: readonly CodeRow[]): Decision {
  const [code] = others;
  if (code === undefined) return { kind: 'new' };
  const sending = others.find((one) => one.verificationId === null && one.secondsSinceAsked < SENDING_S);
  if (sending !== undefined) return { kind: 'wait', seconds: SENDING_S - sending.secondsSinceAsked };
  const hasRoom =
    code.verificationId !== null &&
    code.sendsCount < SENDS_MAX &&
    code.secondsSinceStart < SENT_AGAIN_S &&
    mayCheck({ ...(own ?? code), triesLeft: own?.triesLeft ?? TRIES_MAX }, others);
  if (hasRoom && others.length === 1) return { kind: 'shared' };
  const all = own === undefined ? others : [own, ...others];
  const keepers = others.filter((one) => keeps(one, asker, all));
  if (keepers.length === 0) return { kind: 'new' };
  if (hasRoom) return { kind: 'shared' };
  return { kind: 'wait', seconds: Math.max(...keepers.map((one) => KEPT_S - one.secondsSinceAsked)) };
}

/** Whether a member's code may not be replaced for the asker. */
function keeps(one: CodeRow, asker: Asker, all: readonly CodeRow[]): boolean {
  const others = all.filter((other) => other !== one);
  if (one.verificationId === null || one.secondsSinceAsked >= KEPT_S || !mayCheck(one, others)) return false;
  const asks = asker.asksCount + 1;
  return one.asksCount < asks || (one.asksCount === asks && one.memberSince <= asker.memberSince);
}
