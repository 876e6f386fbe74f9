import type { TimelineLine, TimelinePart } from '#contract/timeline.ts';
import { findActor } from '#platform/audit-trail.ts';
import type { Database } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import { linesAfter, readTimelinePage, TIME_AND_ID, type TimelineSource } from '#platform/timeline.ts';
import * as queries from './account-queries.ts';

/**
 * The operators' timeline of a member. Each feature is a source of its own rows, and `app.ts` passes them in; here are
 * the account's own: registering, suspensions, deletion.
 */

const plain = { link: null, amount: null, balanceAfter: null };

const operatorIdOf = (id: number | null): string | null => (id === null ? null : String(id));

/** Nobody but an operator and the command line suspends and lifts. */
const byCommandLine = { actor: 'command-line' };

const suspensionLines: TimelineSource = {
  name: 'suspension',
  part: 'decisions',
  placeForm: TIME_AND_ID,
  read: async (reader, memberId, after, limit) => {
    const rows = await queries.listSuspensions(reader, memberId);
    const lines = rows.flatMap((row) => {
      const { suspensionType, severity, liftReason } = row;
      const begun = {
        ...plain,
        id: `${row.id}-a`,
        at: row.createdAt,
        kind: 'suspended' as const,
        text: `Suspended: ${row.reason}`,
        facts: {
          suspensionType,
          severity,
          reason: row.reason,
          expiresAt: row.expiresAt?.toISOString() ?? null,
          operatorId: operatorIdOf(row.createdBy),
          ...(row.createdBy === null && !row.isOwnWord && byCommandLine),
        },
      };
      if (row.liftedAt === null) return [begun];
      const operatorId = operatorIdOf(row.liftedBy);
      const actor = row.liftedBy === null ? byCommandLine : {};
      const facts = { suspensionType, severity, reason: liftReason, operatorId, ...actor };
      const lifted = { ...plain, id: `${row.id}-b`, at: row.liftedAt, kind: 'lifted' as const };
      return [begun, { ...lifted, text: `Suspension lifted: ${liftReason ?? ''}`, facts }];
    });
    return linesAfter<(typeof lines)[number]>(lines, after, limit);
  },
};

const accountLines: TimelineSource = {
  name: 'account',
  part: 'access',
  placeForm: TIME_AND_ID,
  read: async (reader, memberId, after, limit) => {
    const account = await queries.findAccountTimes(reader, memberId);
    if (account === undefined) return [];
    const joined = {
      ...plain,
      id: 'joined',
      at: account.createdAt,
      kind: 'joined' as const,
      text: 'Joined',
      facts: { registeredFrom: account.registeredFrom },
    };
    if (account.deletedAt === null) return linesAfter([joined], after, limit);
    const actor = await findActor(reader, 'member.delete', memberId);
    const deleted = {
      ...plain,
      id: 'deleted',
      at: account.deletedAt,
      kind: 'deleted' as const,
      text: 'The account was deleted',
      // A member who deleted the account is no operator.
      facts: actor === undefined ? {} : { operatorId: operatorIdOf(actor.operatorId) },
    };
    return linesAfter<typeof joined | typeof deleted>([joined, deleted], after, limit);
  },
};

/**
 * Reads a page of a member's timeline, with the names of operators.
 * @throws Refusal `not-found`; InvalidRequest if `before` is not the `next` of a line
 */
export async function readTimeline(
  database: Database,
  memberId: number,
  { before, part }: { before?: string | undefined; part?: TimelinePart | undefined },
  otherSources: readonly TimelineSource[],
): Promise<TimelineLine[]> {
  const account = await queries.findAccountTimes(database, memberId);
  if (account === undefined) throw refuse('not-found');
  const sources = [suspensionLines, accountLines, ...otherSources];
  const lines = await readTimelinePage(
    database,
    part === undefined ? sources : sources.filter((source) => source.part === part),
    memberId,
    before,
  );
  const ids = lines.flatMap(({ facts }) => (facts.operatorId ? [Number(facts.operatorId)] : []));
  const operators = new Map(
    ids.length === 0
      ? []
      : (await queries.listEmails(database, ids)).map(({ id, email }) => [String(id), email]),
  );
  return lines.map((line) => {
    const { operatorId, ...facts } = line.facts;
    return operatorId === undefined
      ? line
      : {
          ...line,
          facts: { ...facts, operator: operatorId === null ? null : (operators.get(operatorId) ?? null) },
        };
  });
}
