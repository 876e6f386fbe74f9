/**
 * What was taken back from a member, and which earning each reversal took it from. A reversal that took nothing,
 * because nothing was left, moved no points and is not told. What an operator takes back stands among the reversals
 * under the provider `operator`.
 */
import type { Chargeback, chargebackReasons } from '#contract/earning.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { describeMovement } from '../ledger/ledger.ts';
import { findReversedCredit, readReversals } from './queries.ts';

export type ChargebackReason = (typeof chargebackReasons)[number];

const OPERATOR = 'operator';
const ROWS_MAX = 200;

const reasonsByWord: readonly [words: RegExp, reason: ChargebackReason][] = [
  [/vpn|proxy/i, 'VPN Usage'],
  [/fraud/i, 'Fraudulent Activity'],
  [/invalid/i, 'Invalid Response'],
  [/duplicate/i, 'Duplicate'],
];

/** The label of a reason, by the first word that it has; without any of them, by who took the points back. */
export function reasonOf(reason: string, isManual: boolean): ChargebackReason {
  const named = reasonsByWord.find(([words]) => words.test(reason));
  return named?.[1] ?? (isManual ? 'Admin Action' : 'Policy Violation');
}

/** What was taken back from the member, newest first, at most 200. */
export async function readChargebacks(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
): Promise<Chargeback[]> {
  const rows = await readReversals(database, memberId, ROWS_MAX);
  return rows.map(({ seq, postedAt, amount, subject, provider, providerName, transactionId }) => {
    const isManual = provider === OPERATOR;
    return {
      id: String(seq),
      createdAt: postedAt.toISOString(),
      amount: String(amount),
      description: describeMovement(
        { kind: 'reversal', subject, isScreenOut: false },
        isManual ? null : (providerName ?? provider),
      ),
      provider: isManual ? 'Manual' : (providerName ?? 'Unknown'),
      reason: reasonOf(subject, isManual),
      txId: transactionId,
    };
  });
}

/** The earning that the member's chargeback with this id took back. @throws Refusal `not-found` */
export async function readReversedEarning(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
  id: string,
) {
  const found = await findReversedCredit(database, memberId, BigInt(id));
  if (found === undefined) throw refuse('not-found');
  const { seq, amount, subject, isScreenOut, providerName, postedAt, transactionId } = found;
  if (seq === null) return { id, earning: null };
  return {
    id,
    earning: {
      id: String(seq),
      amount: String(amount),
      description: describeMovement({ kind: 'earning', subject, isScreenOut }, providerName),
      createdAt: postedAt.toISOString(),
      txId: transactionId,
      sourceName: providerName,
      subject,
      isScreenOut,
    },
  };
}
