import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import { POINTS_PER_USD } from '#contract/points.ts';
import type { OperatorWithdrawal, QueuedWithdrawal } from '#contract/withdrawals.ts';
import {
  approveAllWithdrawals,
  approveWithdrawal,
  type PlannedDecisions,
  readPlannedDecisions,
  rejectAllWithdrawals,
  rejectWithdrawal,
  type StayReason,
} from '#contract/withdrawals-decisions.ts';
import { isFirstApproval } from '#web/admin/kit/first-approval.ts';
import { sumOf, sumsOf } from '#web/admin/kit/sums.ts';
import type { BulkAct, HeadAct, RowOutcome } from '#web/admin/kit/use-bulk-act.ts';
import { type ApiError, call } from '#web/client/call.ts';
import { formatAmount, toPoints } from '#web/client/format.ts';
import { useRailWords } from '#web/ui/rails.ts';
import { useRefusalText } from './refusal-text.ts';
import { useArePayoutsPaused } from './use-paused.ts';

type Act = BulkAct<QueuedWithdrawal>;
type AllReply = ReplyOf<typeof approveAllWithdrawals>;

/** An approval of at least so many payouts, or of at least so many points together, is confirmed by typing the sum. */
const TYPED_FROM_COUNT = 10;
const TYPED_FROM_POINTS = 50n * POINTS_PER_USD;

/** What names a request: the person, the sum and the method. */
function useNames() {
  const { nameOf } = useRailWords();
  return (row: Pick<OperatorWithdrawal, 'userName' | 'amount' | 'method'>) =>
    `${row.userName} · ${formatAmount(row.amount)} · ${nameOf(row.method)}`;
}

/** The texts of an approval of many requests; the caller adds how it runs. */
function useApproval() {
  const { t } = useTranslation();
  const arePaused = useArePayoutsPaused();
  return (count: number, points: bigint) => {
    const sums = sumsOf(points);
    return {
      key: 'approve',
      title: t('queue.bulk.approveTitle', { count }),
      text: t(arePaused ? 'queue.bulk.approveTextPaused' : 'queue.bulk.approveText', sums),
      submit: t('queue.bulk.approveSubmit', { count, ...sums }),
      tone: 'money' as const,
      count,
      done: (done: number) => t('queue.bulk.resultApproved', { count: done }),
      part: (part: number) => t('queue.bulk.resultFirst', { count: part }),
    };
  };
}

/** The sum that is typed before an approval runs. */
function useTyped() {
  const { t } = useTranslation();
  return (points: bigint) => ({
    label: t('queue.bulk.typeSum'),
    points,
    wrong: t('queue.bulk.wrongSum', { amount: formatAmount(points) }),
  });
}

/** The texts of a rejection of many requests with one reason; the caller adds how it runs. */
function useRejection() {
  const { t } = useTranslation();
  return (count: number, points: bigint) => {
    const sums = sumsOf(points);
    return {
      key: 'reject',
      title: t('queue.bulk.rejectTitle', { count }),
      text: t('queue.bulk.rejectText', sums),
      submit: t('queue.bulk.rejectSubmit', { count, ...sums }),
      tone: 'danger' as const,
      count,
      reason: {
        label: t('queue.reject.reason'),
        help: t('queue.reject.help'),
        required: t('queue.reject.required'),
      },
      done: (done: number) => t('queue.bulk.resultRejected', { count: done }),
    };
  };
}

/** The acts on the selected requests. */
export function useSelectedActs() {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  const nameOf = useNames();
  const [approval, rejection, typedOf] = [useApproval(), useRejection(), useTyped()];
  const outcomeOf = (error: ApiError): RowOutcome =>
    isFirstApproval(error)
      ? { kind: 'part', text: t('queue.bulk.firstApproved') }
      : { kind: 'failed', text: refusalText(error) };
  return (rows: readonly QueuedWithdrawal[]): Act[] => {
    const count = rows.length;
    const points = sumOf(rows);
    const approvable = rows.filter(({ approvalObstacle }) => approvalObstacle === null);
    const approvablePoints = sumOf(approvable);
    const leftOut = count - approvable.length;
    const isTyped = approvable.length >= TYPED_FROM_COUNT || approvablePoints >= TYPED_FROM_POINTS;
    return [
      {
        ...rejection(count, points),
        label: t('queue.bulk.reject', { count }),
        run: {
          rows,
          nameOf,
          act: ({ id }, reason) => call(rejectWithdrawal, { params: { id }, body: { reason } }),
          outcomeOf,
        },
      },
      {
        ...approval(approvable.length, approvablePoints),
        label: t('queue.bulk.approve', { count: approvable.length }),
        isDisabled: approvable.length === 0,
        ...(leftOut > 0 && { note: t('queue.bulk.leftOut', { count: leftOut }) }),
        ...(isTyped && { typed: typedOf(approvablePoints) }),
        isMain: true,
        run: {
          rows: approvable,
          nameOf,
          act: ({ id }) => call(approveWithdrawal, { params: { id } }),
          outcomeOf,
        },
      },
    ];
  };
}

const planWords = {
  approval: { all: 'queue.bulk.approveAllText', staying: 'queue.bulk.notApproved' },
  rejection: { all: 'queue.bulk.rejectAllText', staying: 'queue.bulk.notRejected' },
} as const;

/** What stays of all pending requests, with the reasons, and which of the decided ones need a second operator. */
function useStaying() {
  const { t } = useTranslation();
  return (act: 'approval' | 'rejection', { count: decided, staying, firstCount }: PlannedDecisions) => {
    const words = planWords[act];
    const count = staying.reduce((sum, reason) => sum + reason.count, 0);
    const reasons = staying
      .map(({ reason, count }) => t('queue.bulk.stayReason', { label: t(stayWords(reason)), count }))
      .join(', ');
    return [
      ...(decided > 0 ? [t(words.all)] : []),
      ...(firstCount > 0 ? [t('queue.bulk.firstOfTwo', { count: firstCount })] : []),
      ...(count > 0 ? [t(words.staying, { count, reasons })] : []),
    ].join(' ');
  };
}

const stayWords = (reason: StayReason) =>
  reason === 'no-rail' || reason === 'no-rate'
    ? (`queue.bulk.${reason}` as const)
    : (`queue.flags.${reason}` as const);

/** How an act on all pending requests runs, beside the call itself. */
function useAllRuns() {
  const { t } = useTranslation();
  const nameOf = useNames();
  /** The rows that are not done, named. */
  const named = ({ failed, stayingIds = [] }: AllReply) => {
    const staying = new Set(stayingIds);
    return failed.map((row) => ({ ...row, name: nameOf(row), isStaying: staying.has(row.id) }));
  };
  const runOf = (actAll: (reason: string) => Promise<AllReply>, prepare: () => Promise<Act>): Act['run'] => ({
    actAll: async (reason) => {
      const reply = await actAll(reason);
      const { processed, firstApprovedIds = [] } = reply;
      return { processed, failed: named(reply), partCount: firstApprovedIds.length };
    },
    stayed: (count) => t('queue.bulk.resultStayed', { count }),
    renewal: { code: 'totals-changed', prepare },
  });
  return runOf;
}

/**
 * The acts on all pending requests. Each asks first what it would decide. The call names that number and sum, so that
 * the server decides nothing if it would decide others by then; then the act asks again.
 */
export function useAllActs(): HeadAct<QueuedWithdrawal>[] {
  const { t } = useTranslation();
  const [approval, rejection, stayingOf] = [useApproval(), useRejection(), useStaying()];
  const [typedOf, runOf] = [useTyped(), useAllRuns()];
  const prepareApproval = async (): Promise<Act> => {
    const planned = (await call(readPlannedDecisions)).approval;
    const { count, points } = planned;
    const sum = toPoints(points);
    const body = { expectedCount: count, expectedPoints: points };
    return {
      ...approval(count, sum),
      label: t('queue.bulk.approveAll'),
      ...(count === 0 && { title: t('queue.bulk.noneApproved'), text: '' }),
      note: stayingOf('approval', planned),
      typed: typedOf(sum),
      run: runOf(() => call(approveAllWithdrawals, { body }), prepareApproval),
    };
  };
  const prepareRejection = async (): Promise<Act> => {
    const planned = (await call(readPlannedDecisions)).rejection;
    const { count, points } = planned;
    const body = { expectedCount: count, expectedPoints: points };
    return {
      ...rejection(count, toPoints(points)),
      label: t('queue.bulk.rejectAll'),
      ...(count === 0 && { title: t('queue.bulk.noneRejected'), text: '' }),
      note: stayingOf('rejection', planned),
      run: runOf((reason) => call(rejectAllWithdrawals, { body: { ...body, reason } }), prepareRejection),
    };
  };
  return [
    { key: 'reject', label: t('queue.bulk.rejectAll'), prepare: prepareRejection },
    { key: 'approve', label: t('queue.bulk.approveAll'), prepare: prepareApproval },
  ];
}
