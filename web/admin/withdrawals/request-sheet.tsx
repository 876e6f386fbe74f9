import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { examineWithdrawal, type OperatorWithdrawal } from '#contract/withdrawals.ts';
import type { SheetPosition } from '#web/admin/kit/list-screen.ts';
import { ReasonDialog } from '#web/admin/kit/reason-dialog.tsx';
import { SheetFacts, SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { formatAmount, formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { RequestFacts } from './request-facts.tsx';
import styles from './request-sheet.module.css';
import { useDecision } from './use-decision.ts';

type RequestSheetProps = {
  row: OperatorWithdrawal;
  position: SheetPosition<OperatorWithdrawal>;
  refresh: () => void;
};

/** A quote holds for ten minutes, so it is fetched again before. */
const QUOTE_POLL_MS = 60_000;

/** One request: its facts, and the decision at the foot. */
export function RequestSheet(props: RequestSheetProps) {
  const { id, status } = props.row;
  const examined = useRead(
    examineWithdrawal,
    { params: { id } },
    { enabled: status === 'pending', refetchInterval: QUOTE_POLL_MS },
  ).data;
  return (
    <>
      <SheetFacts>
        <RequestFacts row={props.row} examined={status === 'pending' ? examined : undefined} />
      </SheetFacts>
      <Foot {...props} quoteId={examined?.quote?.id} />
    </>
  );
}

/** Before a decision: the buttons, and that it is final. After it: who decided, and a button for the next request. */
function Foot({ row, position, refresh, quoteId }: RequestSheetProps & { quoteId: string | undefined }) {
  const { t, i18n } = useTranslation();
  const { following, open, close } = position;
  const [isRejecting, setRejecting] = useState(false);
  const [next, setNext] = useState<string | null>(null);
  // Decided by another operator while the sheet was open.
  const [wasWaiting] = useState(row.status === 'pending');
  const { approve, reject, undo, isPending, failure, decidedHere } = useDecision(row, refresh);

  // Opens the request that was next when the decision was sent, because the list may have changed since.
  useEffect(() => {
    if (next === null || !decidedHere) return;
    if (next === '') close();
    else open(next);
  }, [next, decidedHere, open, close]);

  if (row.status !== 'pending') {
    const words = wasWaiting && !decidedHere ? 'byOther' : 'plain';
    const when = { time: formatTime(row.processedAt ?? row.createdAt, i18n.language) };
    return (
      <SheetFoot fine={t(`queue.sheet.${words}.${row.status}`, when)}>
        {row.undoUntil !== null && <UndoButton isPending={isPending} onClick={undo} />}
        <Button
          variant="default"
          fullWidth
          onClick={() => (following === undefined ? close() : open(following.id))}
        >
          {following === undefined ? t('common.close') : t('queue.sheet.goNext')}
        </Button>
      </SheetFoot>
    );
  }
  const amount = formatAmount(row.amount);
  return (
    <SheetFoot fine={t('queue.sheet.fine')} failure={failure}>
      <Button variant="default" onClick={() => setRejecting(true)} disabled={isPending}>
        {t('queue.sheet.reject')}
      </Button>
      <Button
        variant="money"
        className={styles.approve}
        loading={isPending}
        onClick={() => {
          setNext(following?.id ?? '');
          approve(quoteId);
        }}
      >
        {t(following === undefined ? 'queue.sheet.approveOnly' : 'queue.sheet.approve')}
      </Button>
      <ReasonDialog
        isOpen={isRejecting}
        words={{
          title: t('queue.reject.title'),
          text: t('queue.reject.text', { amount, name: row.userName }),
          label: t('queue.reject.reason'),
          help: t('queue.reject.help'),
          required: t('queue.reject.required'),
          submit: t('queue.reject.submit', { amount }),
        }}
        isPending={isPending}
        failure={failure}
        onSubmit={(reason) => {
          setNext(following?.id ?? '');
          reject(reason);
        }}
        onClose={() => setRejecting(false)}
      />
    </SheetFoot>
  );
}

function UndoButton({ isPending, onClick }: { isPending: boolean; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button variant="default" fullWidth loading={isPending} onClick={onClick}>
      {t('queue.sheet.undo')}
    </Button>
  );
}
