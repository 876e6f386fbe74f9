/**
 * What was taken back from a member, and which earning each reversal took it from. A reversal that took nothing,
 * because nothing was left, moved no points and is not told. What an operator takes back stands among the reversals
 * under the provider `operator`.
 */
import type { Chargeback, chargebackReasons } from '#contract/earning.ts';
import { type Reader, sql } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { describeMovement } from '../ledger/ledger.ts';

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

type ReversalRow = {
  seq: bigint;
  postedAt: Date;
  amount: bigint;
  subject: string;
  provider: string;
  providerName: string | null;
  transactionId: string | null;
};

/**
 * The newest reversals by an index of their own, and the movement of each by its key alone: a history of millions of
 * movements is not looked through.
 */
export const listReversals = (on: Reader, memberId: number) =>
  on.rows<ReversalRow>(sql`
    select m.seq, m.posted_at as "postedAt", m.amount, m.subject, r.provider, p.name as "providerName",
      m.transaction_id as "transactionId"
    from (
      select provider, transaction_id from earning.reversals
      where member_id = ${memberId} and taken_points > 0 order by created_at desc limit ${ROWS_MAX}::integer
    ) r
      join ledger.history m on m.key = earning.movement_key(r.provider, r.transaction_id, 'reversal')
      left join earning.providers p on p.id = r.provider
    order by m.seq desc`);

/** What was taken back from the member, newest first, at most 200. */
export async function readChargebacks(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
): Promise<Chargeback[]> {
  const rows = await listReversals(database, memberId);
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

type CreditRow = {
  seq: bigint | null;
  amount: bigint;
  subject: string;
  isScreenOut: boolean;
  providerName: string;
  postedAt: Date;
  transactionId: string | null;
};

const findCredit = (on: Reader, memberId: number, seq: bigint) =>
  on.row<CreditRow>(sql`
    select c.seq, c.amount, c.subject, c.is_screen_out as "isScreenOut", c.posted_at as "postedAt",
      c.transaction_id as "transactionId", coalesce(p.name, c.provider) as "providerName"
    from ledger.history m
      left join earning.reversals r on r.provider = m.provider and r.transaction_id = m.transaction_id
      left join ledger.history c on c.key = earning.movement_key(r.provider, r.credit_transaction_id, 'credit')
        and c.member_id = m.member_id
      left join earning.providers p on p.id = c.provider
    where m.member_id = ${memberId} and m.seq = ${seq}::bigint and m.kind = 'reversal'`);

/** The earning that the member's chargeback with this id took back. @throws Refusal `not-found` */
export async function readReversedEarning(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
  id: string,
) {
  const found = await findCredit(database, memberId, BigInt(id));
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
