import * as contract from '#contract/members-accounts.ts';
import * as acts from '#contract/members-acts.ts';
import * as suspensions from '#contract/members-suspensions.ts';
import * as views from '#contract/members-views.ts';
import type { Reader } from '#platform/database.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import type { TimelineSource } from '#platform/timeline.ts';
import { type DeletionParts, deleteAccountOf } from './account-deletion.ts';
import { accountList, type FindOwners } from './account-list.ts';
import { readCounts } from './account-queries.ts';
import { type RecordParts, readAccountRecord } from './account-record.ts';
import { endSessionsOf, type MemberActParts, messageMember } from './member-acts.ts';
import { suspensionList } from './suspension-list.ts';
import { lift, type SuspensionParts, suspend } from './suspensions.ts';
import { readTimeline } from './timeline.ts';
import { readViews, removeView, saveView } from './views.ts';

/** Parts of features that depend on members; `app.ts` passes them in. */
export type OperatorParts = Omit<DeletionParts, 'withOwnPassword'> &
  RecordParts &
  SuspensionParts &
  MemberActParts & {
    /** What else than members' own columns a search for a member looks at. */
    ownerFinders: readonly FindOwners[];
    /** Reads the points that were ever paid out. */
    readPaidPoints(reader: Reader): Promise<string>;
    /** The features' sources of a member's timeline. */
    timelineSources: readonly TimelineSource[];
  };

/**
 * HTTP for operators: the list of members, their number, one member, the deletion of an account, suspensions, and the
 * saved views of lists.
 */
export function membersAdminRoutes(platform: Platform, parts: OperatorParts): void {
  const { database } = platform;
  handleOperatorList(platform, accountList(database, parts.ownerFinders));
  handle(platform, contract.readUserStats, async () => {
    const [counts, totalPaidOut] = await Promise.all([readCounts(database), parts.readPaidPoints(database)]);
    return {
      totalUsers: Number(counts.memberCount - counts.deletedCount),
      activeUsers: Number(counts.activeCount),
      todaySignups: Number(counts.joinedTodayCount),
      totalPaidOut,
    };
  });
  handle(platform, contract.readUser, ({ params }) => readAccountRecord(database, Number(params.id), parts));
  handle(platform, contract.readTimeline, ({ params, query }) =>
    readTimeline(database, Number(params.id), query, parts.timelineSources),
  );
  handle(platform, contract.deleteUser, async ({ caller, params, body }) => {
    const deletion = { memberId: Number(params.id), reason: body?.reason ?? null };
    await deleteAccountOf(platform, caller.id, deletion, parts);
    return null;
  });
  handle(platform, acts.messageUser, ({ caller, params, body, idempotencyKey: key }) =>
    messageMember(platform, caller.id, { memberId: Number(params.id), text: body.text, key }, parts),
  );
  handle(platform, acts.endUserSessions, ({ caller, params, body }) =>
    endSessionsOf(platform, caller.id, { memberId: Number(params.id), reason: body.reason }, parts),
  );
  handleOperatorList(platform, suspensionList);
  handle(platform, suspensions.suspendUser, ({ caller, body }) => suspend(platform, caller.id, body, parts));
  handle(platform, suspensions.liftSuspension, ({ caller, params, body }) =>
    lift(platform, caller.id, { id: BigInt(params.id), reason: body.liftReason }, parts),
  );
  handle(platform, views.readViews, ({ caller }) => readViews(database, caller.id));
  handle(platform, views.saveView, ({ caller, body }) => saveView(database, caller.id, body));
  handle(platform, views.removeView, async ({ caller, params }) => {
    await removeView(database, caller.id, BigInt(params.id));
    return null;
  });
}
