import { Checkbox, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  clearRequest,
  failPayout,
  type PossiblePayment,
  retryPayout,
  settlePayout,
} from '#contract/withdrawals-payouts.ts';
import { ReasonDialog } from '#web/admin/kit/reason-dialog.tsx';
import { ServerSentence } from '#web/admin/kit/server-sentence.tsx';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatTimeInFull, groupedByFour } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import { findExactPayment } from './exact-payment.ts';
import { TroubleSentence } from './held-points.tsx';
import styles from './possible-payments.module.css';
import { PossiblePayments } from './possible-payments.tsx';
import { useArePayoutsPaused } from './use-paused.ts';

export type ActName = 'retry' | 'fail' | 'settle' | 'settleRequest' | 'clear';
export type ActTarget = {
  id: string;
  address: string;
  /** Whether the address is a code, which is shown in groups of four. */
  isCode: boolean;
  /** With the currency; empty for a pending request. */
  amount: string;
  /** What goes back to the member if it is not paid. */
  points: string;
  trouble: string;
  /** Since when, if the trouble has a time. */
  troubleAt: string | null;
  currency: string;
  possible: readonly PossiblePayment[];
};

/** Amber moves money, brick destroys. */
const tones = {
  retry: 'money',
  settle: 'money',
  settleRequest: 'money',
  clear: 'plain',
  fail: 'danger',
} as const;

type PayoutActDialogProps = { act: ActName; target: ActTarget; onClose: () => void };

/** Asks for the reason of an act, and for the transaction that paid or the word that none of the payments did. */
export function PayoutActDialog({ act, target, onClose }: PayoutActDialogProps) {
  const { t } = useTranslation();
  const isSettling = act === 'settle' || act === 'settleRequest';
  // What the operator saw when the dialog opened. Another payment that is found meanwhile refuses the act.
  const [payments] = useState(target.possible);
  const txIds = payments.map(({ txId }) => txId);
  const mustCompare = !isSettling && txIds.length > 0;
  const [txId, setTxId] = useState(findExactPayment(payments, target)?.txId ?? '');
  const [acceptedAmount, setAcceptedAmount] = useState('');
  const [hasCompared, setCompared] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const { submit, isPending, failure, mismatch, refusal } = usePayoutAct(act, target.id, onClose);
  const check = () => {
    const missing =
      (isSettling && txId.trim() === '' && t('queue.payoutSheet.settle.txIdRequired')) ||
      (mustCompare && !hasCompared && t('queue.payoutSheet.compareRequired')) ||
      null;
    setError(missing);
    if (missing !== null) field.current?.focus();
    return missing === null;
  };
  /** Takes a field's new value, and its error away. */
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setError(null);
    };
  const { amount, points } = target;
  const text = useActText(act, amount, txIds.length > 0);
  return (
    <ReasonDialog
      isOpen
      tone={tones[act]}
      words={{
        title: t(`queue.payoutSheet.${act}.title`),
        text,
        label: t('queue.payoutSheet.reason'),
        help: t(act === 'fail' ? 'queue.reject.help' : 'queue.payoutSheet.reasonHelp'),
        required: t('queue.reject.required'),
        submit: t(`queue.payoutSheet.${act}.submit`, { amount, points }),
      }}
      isPending={isPending}
      failure={failure}
      check={check}
      onSubmit={(reason) =>
        submit({ reason, txId: txId.trim(), txIds, acceptedAmount: acceptedAmount.trim() })
      }
      onClose={onClose}
      facts={<TargetFacts target={target} payments={payments} />}
      fields={
        <>
          {isSettling && (
            <TransactionField {...{ ref: field, txId, error, refusal }} onChange={change(setTxId)} />
          )}
          {mismatch !== null && (
            <AcceptedAmountField mismatch={mismatch} amount={acceptedAmount} onChange={setAcceptedAmount} />
          )}
          {mustCompare && (
            <ComparedField ref={field} isChecked={hasCompared} error={error} onChange={change(setCompared)} />
          )}
        </>
      }
    />
  );
}

/** What the act does, also while payouts are paused. */
function useActText(act: ActName, amount: string, hasPayments: boolean): string {
  const { t } = useTranslation();
  const arePaused = useArePayoutsPaused();
  const isCompared = hasPayments && (act === 'retry' || act === 'fail' || act === 'settle');
  const text = t(isCompared ? `queue.payoutSheet.${act}.compareText` : `queue.payoutSheet.${act}.text`, {
    amount,
  });
  return act === 'retry' && arePaused ? `${text} ${t('queue.payoutSheet.retry.paused')}` : text;
}

type TransactionFieldProps = {
  ref: React.Ref<HTMLInputElement>;
  txId: string;
  error: string | null;
  /** Why the server refused the transaction, in its words. */
  refusal: string | null;
  onChange: (txId: string) => void;
};

function TransactionField({ ref, txId, error, refusal, onChange }: TransactionFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      ref={ref}
      label={t('queue.sheet.transaction')}
      value={txId}
      maxLength={128}
      error={fieldError(error ?? (refusal !== null && <ServerSentence text={refusal} isPlain />))}
      classNames={{ root: styles.field, input: 'mono' }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type ComparedFieldProps = {
  ref: React.Ref<HTMLInputElement>;
  isChecked: boolean;
  error: string | null;
  onChange: (isChecked: boolean) => void;
};

function ComparedField({ ref, isChecked, error, onChange }: ComparedFieldProps) {
  const { t } = useTranslation();
  return (
    <Checkbox
      ref={ref}
      label={t('queue.payoutSheet.compared')}
      checked={isChecked}
      error={fieldError(error)}
      className={styles.field}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

type AcceptedAmountFieldProps = {
  /** The server's sentence, which has the two amounts. */
  mismatch: string;
  amount: string;
  onChange: (amount: string) => void;
};

/** Asks for an amount that was refused, which the operator accepts by stating it. */
function AcceptedAmountField({ mismatch, amount, onChange }: AcceptedAmountFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('queue.payoutSheet.accepted')}
      description={
        <>
          <ServerSentence text={mismatch} /> {t('queue.payoutSheet.acceptedHelp')}
        </>
      }
      value={amount}
      maxLength={21}
      inputMode="decimal"
      classNames={{ root: styles.field, input: 'mono' }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type TargetFactsProps = { target: ActTarget; payments: readonly PossiblePayment[] };

/** What the act is about: the trouble, the recipient, and the payments that may have paid already. */
function TargetFacts({ target, payments }: TargetFactsProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.facts}>
      {target.trouble !== '' && <TroubleText target={target} />}
      <p>
        {t('queue.payoutSheet.recipient')}{' '}
        <span className="mono">{target.isCode ? groupedByFour(target.address) : target.address}</span>
      </p>
      <PossiblePayments payments={payments} currency={target.currency} />
    </div>
  );
}

/** The trouble in the server's words, and since when in the operator's. */
export function TroubleText({ target: { trouble, troubleAt, possible } }: { target: ActTarget }) {
  const { t, i18n } = useTranslation();
  return (
    <p>
      <TroubleSentence text={trouble} isListed={possible.length > 0} />
      {troubleAt !== null &&
        ` ${t('queue.payoutSheet.since', { time: formatTimeInFull(troubleAt, i18n.language) })}`}
    </p>
  );
}

/** Sends the act. Closes the dialog when it is done. */
function usePayoutAct(act: ActName, id: string, onClose: () => void) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<string | null>(null);
  const [detail, setDetail] = useState<string | null>(null);
  const [isAcceptable, setAcceptable] = useState(false);
  const retrying = useAct(retryPayout);
  const failing = useAct(failPayout);
  const settling = useAct(settlePayout);
  const clearing = useAct(clearRequest);
  const arePaused = useArePayoutsPaused();
  const refusalWords = useRefusalWords();
  const params = { id };
  const answers = {
    onSuccess: () => {
      const isKept = act === 'retry' && arePaused;
      toast.ok(t(isKept ? 'queue.payoutSheet.retry.donePaused' : `queue.payoutSheet.${act}.done`));
      onClose();
    },
    onError: (error: ApiError) => {
      setDetail(error.code === 'payment-mismatch' ? (error.problem?.detail ?? '') : null);
      setAcceptable(typeof error.problem?.acceptableAmount === 'string');
      setFailure(refusalWords(error.code));
    },
  };
  return {
    submit: ({ reason, txId, txIds, acceptedAmount }: Submitted) => {
      setFailure(null);
      if (act === 'retry') retrying.mutate({ params, body: { reason, txIds } }, answers);
      else if (act === 'clear') clearing.mutate({ params, body: { reason, txIds } }, answers);
      else if (act === 'fail') failing.mutate({ params, body: { reason, txIds } }, answers);
      else settling.mutate({ params, body: { reason, txId, ...accepted(acceptedAmount) } }, answers);
    },
    isPending: [retrying, failing, settling, clearing].some((one) => one.isPending),
    failure,
    mismatch: isAcceptable ? detail : null,
    refusal: isAcceptable ? null : detail,
  };
}

type Submitted = { reason: string; txId: string; txIds: string[]; acceptedAmount: string };

const accepted = (acceptedAmount: string) => (acceptedAmount === '' ? {} : { acceptedAmount });
