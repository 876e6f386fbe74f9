import { CHARGEBACK_POINTS_MAX } from '#contract/earning-chargebacks.ts';
import { GRANT_POINTS_MAX } from '#contract/grants.ts';
import { sentenceOfWords } from './admin-words.ts';
import { isRevokedUnder, recordChargeback } from './earning/operator-chargebacks.ts';
import { recordGrant } from './grants/grants.ts';
import { findAccount } from './members/members.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/database.ts';
import { Refusal } from './platform/refusal.ts';
import {
  findRevokedBefore,
  findRevokeFault,
  type NoteParts,
  noteRevoked,
} from './withdrawals/notes-command.ts';

/**
 * The commands `grant` and `revoke` with the words `MEMBER POINTS REASON`. A grant follows the rules of the back
 * office. A key makes a repeated command book nothing.
 */
export type PointsAnswer = { code: 0 | 1 | 2; line: string };

const done = (line: string): PointsAnswer => ({ code: 0, line });
const refused = (line: string): PointsAnswer => ({ code: 1, line });
const misused = (line: string): PointsAnswer => ({ code: 2, line });
const bookedBefore = (key: string) => done(`Booked before under the key ${key}. Nothing was booked now.`);
const usedKey = (key: string) => refused(`The key ${key} was used for another booking.`);

const REASON_MAX = 500;

type Wanted = { requestKey: string; memberId: number; email: string; amountPoints: bigint; reason: string };

/** Reads the words of a command, or answers why it is not done. */
async function readWanted(
  database: Database,
  words: string[],
  requestKey: string,
  pointsMax: number,
): Promise<Wanted | PointsAnswer> {
  const [who = '', amount = '', ...reasonWords] = words;
  if (!/^[A-Za-z0-9._-]{1,80}$/.test(requestKey))
    return misused('KEY is 1 to 80 letters, digits, dots, hyphens and underscores.');
  const reason = sentenceOfWords(reasonWords);
  const amountPoints = /^[1-9]\d{0,9}$/.test(amount) ? BigInt(amount) : 0n;
  if (amountPoints < 1n || amountPoints > pointsMax || reason === '')
    return misused(`POINTS is a whole number up to ${pointsMax}, and REASON is needed.`);
  if (reason.length > REASON_MAX) return misused(`REASON has at most ${REASON_MAX} characters.`);
  const account = await findAccount(database, who);
  if (account === undefined) return refused(`There is no member ${who}.`);
  return { requestKey, memberId: account.id, email: account.email, amountPoints, reason };
}

/** Gives points, or lets them wait for an operator. */
export async function grantByCommand(
  parts: { database: Database; config: Pick<Config, 'mode'> },
  words: string[],
  key: string = crypto.randomUUID(),
): Promise<PointsAnswer> {
  const wanted = await readWanted(parts.database, words, key, GRANT_POINTS_MAX);
  if ('code' in wanted) return wanted;
  const { requestKey, memberId, email, amountPoints, reason } = wanted;
  try {
    const request = { who: String(memberId), amountPoints, reason, key: requestKey };
    const { grant, isNew, balance } = await recordGrant(parts, { ...request, actor: 'command-line' });
    if (!isNew && grant.status !== 'completed')
      return done(
        `Given before under the key ${requestKey}: grant ${grant.id} is ${grant.status}. Nothing was given now.`,
      );
    if (!isNew) return bookedBefore(requestKey);
    if (balance !== null) return done(`${email} now has ${balance} points.`);
    return done(`Grant ${grant.id} waits until an operator confirms it in the back office.`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.code === 'idempotency-mismatch' ? usedKey(requestKey) : refused(error.message);
  }
}

/**
 * Takes points back, also below zero. It is a chargeback as in the back office. With the key that `reconcile` prints
 * for a payment, the payment is noted as well.
 */
export async function revokeByCommand(
  parts: NoteParts,
  words: string[],
  key: string = crypto.randomUUID(),
): Promise<PointsAnswer> {
  const wanted = await readWanted(parts.database, words, key, CHARGEBACK_POINTS_MAX);
  if ('code' in wanted) return wanted;
  const { requestKey, memberId, email, amountPoints, reason } = wanted;
  try {
    const { database } = parts;
    const fault =
      (await findRevokeFault(parts, requestKey, { memberId, amountPoints })) ??
      (await findRevokedBefore(database, requestKey, (one) => isRevokedUnder(database, one)));
    if (fault !== undefined) return refused(fault);
    const order = { who: String(memberId), amountPoints, reason, provider: null, key: requestKey };
    const { isNew, balance } = await recordChargeback(parts, { ...order, actor: 'command-line' });
    await noteRevoked(database, requestKey, reason);
    return isNew ? done(`${email} now has ${balance} points.`) : bookedBefore(requestKey);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.code === 'idempotency-mismatch' ? usedKey(requestKey) : refused(error.message);
  }
}
