import { useTranslation } from 'react-i18next';
import { POINTS_PER_USD } from '#contract/points.ts';
import type { FreeBalance, QueuedWithdrawal } from '#contract/withdrawals.ts';
import {
  approveAllWithdrawals,
  type BulkActRow,
  type PlannedDecisions,
  readBulkAct,
  readPlannedDecisions,
  rejectAllWithdrawals,
  stopBulkAct,
  type MethodTotals as Totals,
} from '#contract/withdrawals-bulk.ts';
import { undoApproval } from '#contract/withdrawals-decisions.ts';
import { sumOf } from '#web/admin/kit/sums.ts';
import type { BulkAct, HeadAct, RemoteAct } from '#web/admin/kit/use-bulk-act.ts';
import { call } from '#web/client/call.ts';
import { formatAmount, toPoints } from '#web/client/format.ts';
import { useApproval, useRejection, useResultRows, useTyped } from './bulk-words.ts';
import { countOf, isToLookAt, LeftOut, stayingOf } from './left-out.tsx';
import { MethodTotals, methodTotalsOf, SelectedTotals } from './method-totals.tsx';
import { useSeenActs } from './use-seen-acts.ts';

type Act = BulkAct<QueuedWithdrawal>;
type Remote = RemoteAct<QueuedWithdrawal>;

/** An approval of at least so many payouts, or of at least so many points together, is confirmed by typing the sum. */
const TYPED_FROM_COUNT = 10;
const TYPED_FROM_POINTS = 50n * POINTS_PER_USD;

/** How an act runs: the server makes it, and tells what became of each request. */
function useRuns() {
  const { t } = useTranslation();
  const resultRows = useResultRows();
  const { see } = useSeenActs();
  return (begin: Remote['begin']): Remote => ({
    begin,
    read: async (id) => {
      const { endedCount, finishedAt, rows } = await call(readBulkAct, { params: { id } });
      const undoableIds = rows.filter((row) => row.isUndoable && row.state === 'done').map((row) => row.id);
      if (finishedAt === null) return { endedCount, result: null };
      see(id);
      return { endedCount, result: { rows: resultRows(rows), undoableIds } };
    },
    stayed: (count) => t('queue.bulk.resultStayed', { count }),
    stop: (id) => call(stopBulkAct, { params: { id } }),
    undo: {
      label: (count) => t('queue.bulk.undo', { count }),
      kept: (count) => t('queue.bulk.resultKept', { count }),
      act: (id) => call(undoApproval, { params: { id } }),
    },
  });
}

const approve = async (body: object) =>
  (await call(approveAllWithdrawals, { body: { ...body, answersAtOnce: true } })).actId;
const reject = async (body: object, reason: string) =>
  (await call(rejectAllWithdrawals, { body: { ...body, reason, answersAtOnce: true } })).actId;
const idsOf = (rows: readonly QueuedWithdrawal[]) => rows.map(({ id }) => id);

/** An approval of selected requests. Those with a flag to look at are left out, unless they are chosen. */
function useSelectedApproval() {
  const { t } = useTranslation();
  const [approval, typedOf, runOf] = [useApproval(), useTyped(), useRuns()];
  const actOf = (rows: readonly QueuedWithdrawal[], withFlagged: boolean): Act => {
    const approvable = rows.filter(({ approvalObstacle }) => approvalObstacle === null);
    const flagged = approvable.filter(({ flags }) => flags.some(isToLookAt));
    const clean = approvable.filter((row) => !flagged.includes(row));
    const chosen = withFlagged ? approvable : clean;
    const points = sumOf(chosen);
    const staying = stayingOf(rows.filter((row) => !chosen.includes(row)));
    const isTyped = chosen.length >= TYPED_FROM_COUNT || points >= TYPED_FROM_POINTS;
    const label =
      clean.length === 0 && flagged.length > 0
        ? t('queue.bulk.approveFlagged', { count: flagged.length })
        : t(flagged.length > 0 ? 'queue.bulk.approveClean' : 'queue.bulk.approve', { count: clean.length });
    return {
      ...approval(chosen.length, points, rows.length),
      label,
      ...(chosen.length === 0 && { title: t('queue.bulk.noneClean'), text: '' }),
      details: (close) => (
        <>
          <SelectedTotals totals={methodTotalsOf(chosen)} />
          <LeftOut staying={staying} close={close} />
        </>
      ),
      isDisabled: approvable.length === 0,
      ...(flagged.length > 0 && {
        choice: {
          label: t('queue.bulk.chooseFlagged', {
            count: flagged.length,
            amount: formatAmount(sumOf(flagged)),
          }),
          isChosen: withFlagged,
          choose: () => actOf(rows, !withFlagged),
        },
      }),
      ...(isTyped && { typed: typedOf(points) }),
      isMain: true,
      run: runOf(() => approve({ ids: idsOf(chosen), withFlagged })),
    };
  };
  return actOf;
}

/** The acts on the selected requests. */
export function useSelectedActs() {
  const { t } = useTranslation();
  const [approvalOf, rejection, runOf] = [useSelectedApproval(), useRejection(), useRuns()];
  return (rows: readonly QueuedWithdrawal[]): Act[] => [
    {
      ...rejection(rows.length, sumOf(rows)),
      label: t('queue.bulk.reject', { count: rows.length }),
      details: detailsOf(methodTotalsOf(rows), []),
      run: runOf((reason) => reject({ ids: idsOf(rows) }, reason)),
    },
    approvalOf(rows, false),
  ];
}

/** What an act decides by method, and what it leaves pending. */
const detailsOf =
  (totals: readonly Totals[], staying: PlannedDecisions['staying'], wallets: readonly FreeBalance[] = []) =>
  (close: () => void) => (
    <>
      <MethodTotals totals={totals} wallets={wallets} />
      <LeftOut staying={staying} close={close} />
    </>
  );

const planWords = { approval: 'queue.bulk.approveAllText', rejection: 'queue.bulk.rejectAllText' } as const;

/** That an act on all reaches beyond the page, and which of the decided ones need a second operator. */
function useNote() {
  const { t } = useTranslation();
  return (act: 'approval' | 'rejection', { count, firstCount }: PlannedDecisions) =>
    [
      ...(count > 0 ? [t(planWords[act])] : []),
      ...(firstCount > 0 ? [t('queue.bulk.firstOfTwo', { count: firstCount })] : []),
    ].join(' ');
}

const totalsOf = ({ count, points, digest }: PlannedDecisions) => ({
  expectedCount: count,
  expectedPoints: points,
  expectedDigest: digest,
});
const TOTALS_CHANGED = 'totals-changed';

/** An approval of all pending requests, as the server plans it now. */
function useAllApproval() {
  const { t } = useTranslation();
  const [approval, noteOf, typedOf, runOf] = [useApproval(), useNote(), useTyped(), useRuns()];
  /** @param known how many have a flag to look at, where they are approved as well */
  const prepare = async (withFlagged: boolean, known: number): Promise<Act> => {
    const query = withFlagged ? ({ withFlagged: 'true' } as const) : {};
    const { approval: planned, balances: wallets } = await call(readPlannedDecisions, { query });
    const { count, points, methods, staying } = planned;
    const sum = toPoints(points);
    const leftOut = countOf(staying.filter(({ reason }) => isToLookAt(reason)));
    const flagged = withFlagged ? known : leftOut;
    return {
      ...approval(count, sum, count + countOf(staying)),
      label: t('queue.bulk.approveAll'),
      ...(count === 0 && {
        title: t(flagged > 0 ? 'queue.bulk.noneClean' : 'queue.bulk.noneApproved'),
        text: '',
      }),
      details: detailsOf(methods, staying, wallets),
      note: noteOf('approval', planned),
      ...(flagged > 0 && {
        choice: {
          label: t('queue.bulk.chooseAllFlagged', { count: flagged }),
          isChosen: withFlagged,
          choose: () => prepare(!withFlagged, flagged),
        },
      }),
      typed: typedOf(sum),
      run: {
        ...runOf(() => approve({ ...totalsOf(planned), withFlagged })),
        renewal: { code: TOTALS_CHANGED, prepare: () => prepare(withFlagged, flagged) },
      },
    };
  };
  return () => prepare(false, 0);
}

/**
 * The acts on all pending requests. Each asks first what it would decide. The call names that number, that sum and the
 * digest of the requests, so that the server decides nothing if it would decide others by then; then the act asks
 * again.
 */
export function useAllActs(): HeadAct<QueuedWithdrawal>[] {
  const { t } = useTranslation();
  const [prepareApproval, rejection, noteOf] = [useAllApproval(), useRejection(), useNote()];
  const [typedOf, runOf] = [useTyped(), useRuns()];
  const prepareRejection = async (): Promise<Act> => {
    const planned = (await call(readPlannedDecisions, { query: {} })).rejection;
    const { count, points, methods, staying } = planned;
    return {
      ...rejection(count, toPoints(points)),
      label: t('queue.bulk.rejectAll'),
      ...(count === 0 && { title: t('queue.bulk.noneRejected'), text: '' }),
      details: detailsOf(methods, staying),
      note: noteOf('rejection', planned),
      typed: { ...typedOf(toPoints(points)), label: t('queue.bulk.typeSumReject') },
      run: {
        ...runOf((reason) => reject(totalsOf(planned), reason)),
        renewal: { code: TOTALS_CHANGED, prepare: prepareRejection },
      },
    };
  };
  return [
    { key: 'reject', label: t('queue.bulk.rejectAll'), prepare: prepareRejection },
    { key: 'approve', label: t('queue.bulk.approveAll'), prepare: prepareApproval },
  ];
}

/** An act that was begun before, for its progress and its result. */
export function useBegunAct() {
  const [approval, rejection, runOf] = [useApproval(), useRejection(), useRuns()];
  return ({ id, decision, count, points }: BulkActRow): Act => {
    const words = (decision === 'approve' ? approval : rejection)(count, toPoints(points));
    const run = runOf(() => Promise.resolve(id));
    return { ...words, label: words.title, run: { ...run, begunId: id } };
  };
}
