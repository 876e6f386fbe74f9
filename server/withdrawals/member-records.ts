import { storedEmail } from '#contract/email-text.ts';
import { uuid } from '#contract/fields.ts';
import type { Reader } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import type { TimelineSource } from '#platform/timeline.ts';
import * as queries from './member-records-queries.ts';
import { destinationText } from './payment-methods.ts';

/** What operators see of members and of the site, from withdrawals. */

/** Finds the members of a destination, or of a payment by its reference. */
export async function findPayees(reader: Reader, text: string): Promise<number[]> {
  // Some destinations and references are stored in lower case, those of mailboxes with an ASCII domain.
  const found = await queries.findPayees(reader, [text, storedEmail(text)]);
  return found.map(({ memberId }) => memberId);
}

/** @throws Refusal `not-found` unless the withdrawal is the member's own */
export async function requireOwnWithdrawal(reader: Reader, memberId: number, id: string): Promise<void> {
  const isFound = uuid.safeParse(id).success && (await queries.findOwn(reader, memberId, id)) !== undefined;
  if (!isFound) throw refuse('not-found');
}

/** Reads the points of all confirmed payouts. */
export const readPaidPoints = async (reader: Reader): Promise<string> =>
  (await queries.readPaidPoints(reader)).paidPoints;

/** Reads the points that wait, and those that were paid, of a member. */
export const readMemberTotals = async (reader: Reader, memberId: number): Promise<queries.MemberTotals> =>
  (await queries.findMemberTotals(reader, memberId)) ?? { waitingPoints: 0n, paidCount: 0n, paidPoints: 0n };

/** Finds other members with one of this member's destinations. */
export async function findSharers(reader: Reader, memberId: number, limit: number): Promise<number[]> {
  const found = await queries.findSharers(reader, memberId, limit);
  return found.map((row) => row.memberId);
}

/** Whether the command line decided: what neither the member nor the rail did, and no operator. */
const isOfCommandLine = ({ decidedBy, rejectionCode }: queries.Decision): boolean =>
  decidedBy === null && (rejectionCode === null || rejectionCode === 'operator');

/** Decisions about a member's withdrawals as lines of the operators' timeline. A place is a time in microseconds. */
export const decisionLines: TimelineSource = {
  name: 'decision',
  part: 'money',
  placeForm: /^\d{15,16}\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  read: async (reader, memberId, after, limit) => {
    const [micros, id] = after?.split('.') ?? [];
    const before = micros === undefined || id === undefined ? null : { micros: BigInt(micros), id };
    const rows = await queries.listDecisions(reader, memberId, before, limit);
    return rows.map((row) => ({
      place: `${row.decidedMicros}.${row.id}`,
      at: row.decidedAt,
      kind: row.state === 'approved' ? 'withdrawal-approved' : 'withdrawal-rejected',
      text: `Withdrawal of ${row.amountPoints} points ${row.state}`,
      link: `/management-panel-x7k9w/withdrawals?status=all&open=${row.id}`,
      amount: null,
      balanceAfter: null,
      facts: {
        withdrawalId: row.id,
        method: row.method,
        points: String(row.amountPoints),
        destination: destinationText(row.method, row.destination),
        reason: row.reason,
        rejectionCode: row.rejectionCode,
        operatorId: row.decidedBy === null ? null : String(row.decidedBy),
        ...(isOfCommandLine(row) && { actor: 'command-line' }),
      },
    }));
  },
};

/** The destinations that these members share with others. A deleted one counts, because it was used. */
export const listSharedDestinations = async (
  reader: Reader,
  memberIds: readonly number[],
  membersMax: number,
) =>
  (await queries.listSharedDestinations(reader, memberIds, membersMax)).map((row) => ({
    identifier: row.destination,
    memberIds: row.memberIds,
  }));
