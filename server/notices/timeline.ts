import type { NoticeKind } from '#contract/notice-kinds.ts';
import type { NoticeFacts } from '#contract/notices.ts';
import type { TimelineKind, TimelinePart } from '#contract/timeline.ts';
import { NUMBER, type SourceLine, type TimelineSource } from '#platform/timeline.ts';
import { listBefore, type NoticeRow } from './queries.ts';

/**
 * Notices as lines of the operators' timeline, those of facts that no other source has: a payment that arrived, an
 * earning that waits or was rejected, a new browser, a change of the account's security.
 */

const kinds: Partial<Record<NoticeKind, TimelineKind>> = {
  paid: 'withdrawal-paid',
  held: 'earning-held',
  rejected: 'earning-rejected',
  'sign-in': 'new-device',
  security: 'security',
};

/** The kinds of a part. A rejected withdrawal is a decision, which is another source. */
const sourceOf = (name: string, part: TimelinePart, noticeKinds: NoticeKind[]): TimelineSource => ({
  name,
  part,
  placeForm: NUMBER,
  read: async (reader, memberId, after, limit) => {
    const rows = await listBefore(reader, memberId, {
      kinds: noticeKinds,
      before: after === null ? null : BigInt(after),
      limit,
    });
    return rows.map(lineOf);
  },
});

export const noticeSources: readonly TimelineSource[] = [
  sourceOf('money-notice', 'money', ['paid', 'held', 'rejected']),
  sourceOf('access-notice', 'access', ['sign-in', 'security']),
];

function lineOf({ memberNumber, kind, facts, createdAt }: NoticeRow): SourceLine {
  const told = Object.entries(facts as NoticeFacts & Record<string, unknown>);
  const withdrawalId = 'withdrawalId' in facts ? facts.withdrawalId : null;
  return {
    place: String(memberNumber),
    at: createdAt,
    kind: kinds[kind] ?? 'security',
    text: `The member was told: ${kind}`,
    link:
      withdrawalId === null ? null : `/management-panel-x7k9w/withdrawals?status=all&open=${withdrawalId}`,
    amount: null,
    balanceAfter: null,
    facts: Object.fromEntries(told.map(([name, value]) => [name, value === null ? null : String(value)])),
  };
}
