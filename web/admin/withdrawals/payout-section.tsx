import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import {
  clearRequest,
  failPayout,
  type Payout,
  readPayouts,
  retryPayout,
  settlePayout,
} from '#contract/withdrawals-payouts.ts';
import { ReasonDialog } from '#web/admin/kit/reason-dialog.tsx';
import { Fact, FactList } from '#web/admin/kit/sheet-parts.tsx';
import type { ApiError } from '#web/client/call.ts';
import { formatAge } from '#web/client/format.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './request-sheet.module.css';

/**
 * A payout that is not done: why and since when, and what an operator can do about it. The same for a pending request
 * that may be paid already.
 */

const POLL_MS = 5_000;
type ActName = 'retry' | 'fail' | 'settle' | 'settleRequest' | 'clear';
const payoutActs: readonly ActName[] = ['retry', 'fail', 'settle'];
const requestActs: readonly ActName[] = ['settleRequest', 'clear'];
type Target = { id: string; coinAmount: string; possibleTxIds: readonly string[] };

/** The acts on a pending request that may be paid already. */
export function CheckSection({ row }: { row: OperatorWithdrawal }) {
  const { id, possibleTxIds } = row;
  if (row.status !== 'pending' || possibleTxIds.length === 0) return null;
  return <Acts acts={requestActs} target={{ id, coinAmount: '', possibleTxIds }} />;
}

export function PayoutSection({ row }: { row: OperatorWithdrawal }) {
  const { data } = useRead(readPayouts, { query: { id: row.id } }, { refetchInterval: POLL_MS });
  const payout = data?.payouts[0];
  return payout === undefined || payout.trouble === null ? null : <UnfinishedPayout payout={payout} />;
}

function UnfinishedPayout({ payout }: { payout: Payout }) {
  const { t, i18n } = useTranslation();
  const approvedAt = new Date(Date.now() - payout.ageSeconds * 1000).toISOString();
  return (
    <>
      <FactList>
        <Fact label={t('queue.payoutSheet.trouble')}>
          <span className={styles.trouble}>{payout.trouble}</span>
        </Fact>
        <Fact label={t('queue.payoutSheet.age')}>{formatAge(approvedAt, i18n.language)}</Fact>
      </FactList>
      <Acts acts={payoutActs} target={{ ...payout, id: payout.withdrawalId }} />
    </>
  );
}

function Acts({ acts, target }: { acts: readonly ActName[]; target: Target }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<ActName | null>(null);
  return (
    <>
      <div className={styles.payoutActs}>
        {acts.map((act) => (
          <Button key={act} variant="default" size="sm" onClick={() => setOpen(act)}>
            {t(`queue.payoutSheet.${act}.open`)}
          </Button>
        ))}
      </div>
      {open !== null && <ActDialog key={open} act={open} target={target} onClose={() => setOpen(null)} />}
    </>
  );
}

/** Asks for the reason of an act, and for the transaction that paid. */
function ActDialog({ act, target, onClose }: { act: ActName; target: Target; onClose: () => void }) {
  const { t } = useTranslation();
  const isSettling = act === 'settle' || act === 'settleRequest';
  // What the operator saw when the dialog opened. Another payment that is found meanwhile refuses the act.
  const [txIds] = useState([...target.possibleTxIds]);
  const [txId, setTxId] = useState(act === 'settleRequest' ? (txIds[0] ?? '') : '');
  const [failure, setFailure] = useState<string | null>(null);
  const retrying = useAct(retryPayout);
  const failing = useAct(failPayout);
  const settling = useAct(settlePayout);
  const clearing = useAct(clearRequest);
  const params = { id: target.id };
  const answers = {
    onSuccess: () => {
      toast.ok(t(`queue.payoutSheet.${act}.done`));
      onClose();
    },
    onError: (error: ApiError) => setFailure(t(`refusals.${error.code}`)),
  };
  const submit = (reason: string) => {
    setFailure(null);
    if (act === 'retry') retrying.mutate({ params, body: { reason, txIds } }, answers);
    else if (act === 'clear') clearing.mutate({ params, body: { reason, txIds } }, answers);
    else if (act === 'fail') failing.mutate({ params, body: { reason } }, answers);
    else if (txId.trim() === '') setFailure(t('queue.payoutSheet.settle.txIdRequired'));
    else settling.mutate({ params, body: { reason, txId: txId.trim() } }, answers);
  };
  return (
    <ReasonDialog
      isOpen
      words={{
        title: t(`queue.payoutSheet.${act}.title`),
        text: t(`queue.payoutSheet.${act}.text`, { amount: target.coinAmount }),
        label: t('queue.payoutSheet.reason'),
        help: t('queue.payoutSheet.reasonHelp'),
        required: t('queue.reject.required'),
        submit: t(`queue.payoutSheet.${act}.submit`),
      }}
      isPending={[retrying, failing, settling, clearing].some((one) => one.isPending)}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
      fields={
        isSettling ? (
          <TextInput
            label={t('queue.sheet.transaction')}
            value={txId}
            maxLength={128}
            classNames={{ root: styles.transactionField, input: 'mono' }}
            onChange={(event) => setTxId(event.currentTarget.value)}
          />
        ) : null
      }
    />
  );
}
