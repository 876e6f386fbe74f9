import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
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
import { type Faults, useCharacterFault, useFaults, useFocusOnFault } from '#web/admin/kit/use-faults.ts';
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
  const { ref, faults, show, clear } = useFaults<FieldName, HTMLDivElement>();
  const faultsOf = useFieldFaults();
  const { submit, isPending, failure, refused, forget } = usePayoutAct(act, target.id, onClose);
  useFocusOnFault(ref, refused.isNew ? refused : {});
  const check = () => {
    const found = faultsOf({
      ...(isSettling && { txId: txId.trim() }),
      ...(mustCompare && { hasCompared }),
      acceptedAmount: acceptedAmount.trim(),
    });
    show(found);
    return Object.keys(found).length === 0;
  };
  /** Takes a field's new value, and its error away. */
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      clear();
      forget();
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
        <div ref={ref}>
          {isSettling && (
            <PaymentFields
              {...{ txId, acceptedAmount, faults, refused }}
              onTxId={change(setTxId)}
              onAcceptedAmount={change(setAcceptedAmount)}
            />
          )}
          {mustCompare && (
            <ComparedField isChecked={hasCompared} error={faults.compared} onChange={change(setCompared)} />
          )}
        </div>
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

type FieldName = 'txId' | 'acceptedAmount' | 'compared';
type Entries = { txId?: string; acceptedAmount: string; hasCompared?: boolean };
const amountForm = /^\d{1,12}(\.\d{1,8})?$/;

/** What is missing or wrong in the fields that the act asks for. */
function useFieldFaults(): (entries: Entries) => Faults<FieldName> {
  const { t } = useTranslation();
  const characterFault = useCharacterFault();
  return ({ txId, acceptedAmount, hasCompared }) => {
    const wrongId = txId === '' ? t('queue.payoutSheet.settle.txIdRequired') : characterFault(txId ?? '');
    const isAmount = acceptedAmount === '' || amountForm.test(acceptedAmount);
    return {
      ...(wrongId !== undefined && { txId: wrongId }),
      ...(!isAmount && { acceptedAmount: t('queue.payoutSheet.acceptedForm') }),
      ...(hasCompared === false && { compared: t('queue.payoutSheet.compareRequired') }),
    };
  };
}

type PaymentFieldsProps = {
  txId: string;
  acceptedAmount: string;
  faults: Faults<FieldName>;
  refused: Refused;
  onTxId: (txId: string) => void;
  onAcceptedAmount: (amount: string) => void;
};

/** The transaction that paid, and its amount where another one than expected can be accepted. */
function PaymentFields({
  txId,
  acceptedAmount,
  faults,
  refused,
  onTxId,
  onAcceptedAmount,
}: PaymentFieldsProps) {
  const { detail, isAcceptable, isNew } = refused;
  const refusal = isNew && !isAcceptable && <ServerSentence text={detail} isPlain />;
  return (
    <>
      <TransactionField txId={txId} error={faults.txId ?? refusal} onChange={onTxId} />
      {isAcceptable && (
        <AcceptedAmountField
          mismatch={detail}
          amount={acceptedAmount}
          error={faults.acceptedAmount ?? isNew}
          onChange={onAcceptedAmount}
        />
      )}
    </>
  );
}

type TransactionFieldProps = { txId: string; error: React.ReactNode; onChange: (txId: string) => void };

function TransactionField({ txId, error, onChange }: TransactionFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('queue.sheet.transaction')}
      value={txId}
      maxLength={128}
      error={fieldError(error)}
      classNames={{ root: styles.field, input: 'mono' }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type ComparedFieldProps = {
  isChecked: boolean;
  error: string | undefined;
  onChange: (isChecked: boolean) => void;
};

function ComparedField({ isChecked, error, onChange }: ComparedFieldProps) {
  const { t } = useTranslation();
  return (
    <Checkbox
      label={t('queue.payoutSheet.compared')}
      aria-invalid={error !== undefined || undefined}
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
  /** True where the mismatch is all that is wrong. */
  error: string | boolean;
  onChange: (amount: string) => void;
};

/** Asks for an amount that was refused, which the operator accepts by stating it. */
function AcceptedAmountField({ mismatch, amount, error, onChange }: AcceptedAmountFieldProps) {
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
      error={typeof error === 'string' ? fieldError(error) : error}
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

/** Why the server refused a transaction, in its words, and whether another amount can be accepted. */
type Refused = { detail: string; isAcceptable: boolean; isNew: boolean };
const notRefused: Refused = { detail: '', isAcceptable: false, isNew: false };

/** Sends the act. Closes the dialog when it is done. */
function usePayoutAct(act: ActName, id: string, onClose: () => void) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<string | null>(null);
  const [refused, setRefused] = useState(notRefused);
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
      const isAcceptable = typeof error.problem?.acceptableAmount === 'string';
      const detail = error.problem?.detail ?? '';
      setRefused(error.code === 'payment-mismatch' ? { detail, isAcceptable, isNew: true } : notRefused);
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
    refused,
    /** A field was changed since. An amount that can be accepted is still asked for. */
    forget: () => setRefused((last) => (last.isNew ? { ...last, isNew: false } : last)),
  };
}

type Submitted = { reason: string; txId: string; txIds: string[]; acceptedAmount: string };

const accepted = (acceptedAmount: string) => (acceptedAmount === '' ? {} : { acceptedAmount });
