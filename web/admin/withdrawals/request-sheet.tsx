import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueuedWithdrawal } from '#contract/withdrawals.ts';
import type { ListedPayout, PayoutAct } from '#contract/withdrawals-payouts.ts';
import { DecideButton } from '#web/admin/kit/decide-button.tsx';
import type { SheetPosition } from '#web/admin/kit/list-screen.ts';
import { ReasonDialog } from '#web/admin/kit/reason-dialog.tsx';
import { RejectButton } from '#web/admin/kit/reject-button.tsx';
import { SheetFacts, SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { useNextRow } from '#web/admin/kit/use-next-row.ts';
import { formatAmount, formatTime } from '#web/client/format.ts';
import { type Examination, findObstacle, ObstacleBanner } from './obstacles.tsx';
import { PayoutFoot, troubleActsOf } from './payout-foot.tsx';
import { type Trouble, TroubleActs, useOpenPayout, useTrouble } from './payout-trouble.tsx';
import styles from './payouts.module.css';
import { RequestFacts } from './request-facts.tsx';
import { useDecision } from './use-decision.ts';
import { useExamination } from './use-examination.ts';
import { useArePayoutsPaused } from './use-paused.ts';

type RequestSheetProps = {
  row: QueuedWithdrawal;
  position: SheetPosition<QueuedWithdrawal>;
  refresh: () => void;
};

/** One request: its facts, and the decision at the foot. */
export function RequestSheet(props: RequestSheetProps) {
  const { id, status } = props.row;
  const read = useExamination(id);
  const { data, isError } = read;
  const examination: Examination = {
    examined: status === 'pending' ? data : undefined,
    isFailed: isError && data === undefined,
  };
  const payout = useOpenPayout(props.row);
  const trouble = useTrouble(props.row, examination.examined, payout);
  return (
    <>
      <SheetFacts>
        <RequestFacts
          row={props.row}
          read={read}
          examination={examination}
          payout={payout}
          trouble={trouble}
        />
      </SheetFacts>
      <Foot {...props} examination={examination} payout={payout} trouble={trouble} />
    </>
  );
}

type FootProps = RequestSheetProps & {
  examination: Examination;
  payout: ListedPayout | undefined;
  trouble: Trouble | undefined;
};
type Decision = ReturnType<typeof useDecision>;

/** Before a decision: the buttons, and that it is final. After it: who decided, and what can be done about it. */
function Foot({ row, position, refresh, examination, payout, trouble }: FootProps) {
  const { t } = useTranslation();
  const decision = useDecision(row, refresh);
  const { decidedHere } = decision;
  const { remember, goOn } = useNextRow(position, decidedHere);
  const isLast = position.following === undefined;
  const fine = useDecidedFine(row, decidedHere, payout);

  if (row.status === 'pending') {
    if (trouble !== undefined)
      return (
        <SheetFoot fine={t('queue.payoutSheet.checkFine')}>
          <TroubleActs {...trouble} />
        </SheetFoot>
      );
    return (
      <PendingFoot
        row={row}
        examination={examination}
        decision={decision}
        isLast={isLast}
        onDecide={remember}
      />
    );
  }
  // Until the payout is read, the row knows whether the approval can be taken back at once.
  const acts: readonly PayoutAct[] = payout?.acts ?? (row.undoUntil === null ? [] : ['undo']);
  return (
    <PayoutFoot request={row} acts={acts} target={trouble?.target} fine={fine} onUndone={refresh}>
      <Button variant="default" className={styles.act} onClick={goOn}>
        {t(isLast ? 'common.close' : 'queue.sheet.goNext')}
      </Button>
    </PayoutFoot>
  );
}

/** What is said of a decided request: that another operator was faster, or what its acts ask for. */
function useDecidedFine(
  row: QueuedWithdrawal,
  decidedHere: boolean,
  payout: ListedPayout | undefined,
): string | undefined {
  const { t, i18n } = useTranslation();
  const [wasWaiting] = useState(row.status === 'pending');
  if (row.status === 'pending') return undefined;
  // Decided while the sheet was open. The facts say when.
  if (wasWaiting && !decidedHere)
    return t(`queue.sheet.byOther.${row.status}`, {
      time: formatTime(row.processedAt ?? row.createdAt, i18n.language),
    });
  if (!payout?.isTroubled) return undefined;
  return t(troubleActsOf(payout.acts).length > 0 ? 'queue.payoutSheet.fine' : 'payouts.fine.own');
}

type PendingFootProps = {
  row: QueuedWithdrawal;
  examination: Examination;
  decision: Decision;
  isLast: boolean;
  onDecide: () => void;
};

/** Only an amount that is shown can be approved. The server says what stands against each decision. */
function PendingFoot({ row, examination, decision, isLast, onDecide }: PendingFootProps) {
  const { t, i18n } = useTranslation();
  const [isRejecting, setRejecting] = useState(false);
  const { approve, reject, isPending, failure } = decision;
  const arePaused = useArePayoutsPaused();
  const quoteId = examination.examined?.quote?.id;
  const obstacle = findObstacle(examination, t, i18n.language);
  const isFirstOfTwo = examination.examined?.isFirstOfTwo ?? false;
  // The operator who gave the first approval has none to give.
  const isFirstGiven = examination.examined?.obstacle?.code === 'second-operator-needed';
  const amount = formatAmount(row.amount);
  const approveShown = () => {
    if (quoteId === undefined) return;
    onDecide();
    approve(quoteId);
  };
  return (
    <SheetFoot
      {...(obstacle === undefined
        ? { fine: t(`queue.sheet.${isFirstOfTwo ? 'firstFine' : arePaused ? 'pausedFine' : 'fine'}`) }
        : { fields: <ObstacleBanner obstacle={obstacle} /> })}
      failure={failure}
    >
      <RejectButton
        label={t('queue.sheet.reject')}
        isDisabled={isPending || row.rejectionObstacle !== null}
        onOpen={() => setRejecting(true)}
      />
      {!isFirstGiven && (
        <DecideButton
          isPending={isPending}
          isDisabled={
            quoteId === undefined || obstacle !== undefined || row.approvalObstacle === 'own-account'
          }
          keyLabel={t('queue.sheet.approveKey')}
          onDecide={approveShown}
        >
          {isFirstOfTwo
            ? t('queue.sheet.approveFirst')
            : t(isLast ? 'queue.sheet.approveOnly' : 'queue.sheet.approve', { amount })}
        </DecideButton>
      )}
      <ReasonDialog
        act="withdrawal.reject"
        about={`withdrawal.reject ${row.id}`}
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
          onDecide();
          reject(reason);
        }}
        onClose={() => setRejecting(false)}
      />
    </SheetFoot>
  );
}
