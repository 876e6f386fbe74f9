import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CLAIM_POINTS_MAX, type OperatorClaim, type readClaim } from '#contract/claims.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { readGrantStats } from '#contract/grants.ts';
import { DecideButton } from '#web/admin/kit/decide-button.tsx';
import type { SheetPosition } from '#web/admin/kit/list-screen.ts';
import { ReasonDialog } from '#web/admin/kit/reason-dialog.tsx';
import { RejectButton } from '#web/admin/kit/reject-button.tsx';
import { SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { showField } from '#web/admin/kit/show-field.ts';
import { useNextRow } from '#web/admin/kit/use-next-row.ts';
import { formatAmount, formatPoints, toPoints } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { isOpen } from './claim-badges.tsx';
import styles from './claims.module.css';
import { useClaimActs } from './use-claim-acts.ts';

type ClaimFootProps = {
  row: OperatorClaim;
  position: SheetPosition<OperatorClaim>;
  refresh: () => void;
  providerName: string;
  /** What became of the opening. Undefined until it was read. */
  outcome: ReplyOf<typeof readClaim> | undefined;
};

/** The amount and the buttons of an open claim. After the decision a button for the next one. */
export function ClaimFoot(props: ClaimFootProps) {
  const { t } = useTranslation();
  const { row, position, refresh, providerName, outcome } = props;
  const acts = useClaimActs(row, providerName, refresh);
  const { remember, goOn } = useNextRow(position, acts.decidedHere);
  if (isOpen(row)) return <OpenFoot row={row} {...partsOf(outcome)} acts={acts} onDecide={remember} />;
  return (
    <SheetFoot
      fine={t(row.state === 'booked' ? 'claimList.sheet.fineBooked' : 'claimList.sheet.fineRefused')}
    >
      <Button variant="default" fullWidth onClick={goOn}>
        {t(position.following === undefined ? 'common.close' : 'claimList.sheet.goNext')}
      </Button>
    </SheetFoot>
  );
}

/** Who may book, and whether two must. The server decides; this is what an operator reads before. */
function useTwoPeople({ userId, firstApprovedBy, firstApprovedAmount }: OperatorClaim, amount: string) {
  const { id } = useMember();
  const { data: stats } = useRead(readGrantStats);
  const isSame = firstApprovedBy !== null && firstApprovedAmount === String(toPoints(amount));
  const isMine = isSame && id === firstApprovedBy;
  const sum = stats?.secondPersonFrom ?? null;
  const isFirst = !isSame && sum !== null && toPoints(stats?.givenToday) + toPoints(amount) >= BigInt(sum);
  const isOwn = id === userId;
  const fineOfOthers = () => {
    if (isMine) return 'mine';
    if (firstApprovedBy !== null && id !== firstApprovedBy) return 'second';
    return isFirst ? 'first' : 'fine';
  };
  return { isOwn, isMine, isFirst, fine: isOwn ? 'own' : fineOfOthers() } as const;
}

const isAmount = (text: string): boolean => {
  const points = Number(text);
  return Number.isInteger(points) && points >= 1 && points <= CLAIM_POINTS_MAX;
};

/** Whether a credit came that keeps the claim from being booked, and what else came at the wall. */
const partsOf = (outcome: ClaimFootProps['outcome']) => ({
  hasCredit: outcome !== undefined && outcome.openingState !== 'opened',
  creditFine: outcome?.openingState === 'rejected' ? ('creditRejected' as const) : ('credited' as const),
  seenCredits: outcome === undefined ? 0 : outcome.creditsSince + outcome.claimsBookedSince,
});

/** What the button is called; it names no amount before one is typed. */
const bookNameOf = (amount: string, isFirst: boolean) => {
  if (amount === '') return 'bookBlank';
  return isFirst ? 'bookFirst' : 'book';
};

type OpenFootProps = Pick<ClaimFootProps, 'row'> &
  ReturnType<typeof partsOf> & { acts: ReturnType<typeof useClaimActs>; onDecide: () => void };

function OpenFoot({ row, hasCredit, creditFine, seenCredits, acts, onDecide }: OpenFootProps) {
  const { t } = useTranslation();
  const [amount, setAmount] = useState(row.firstApprovedAmount ?? row.statedPoints ?? '');
  const [isWrong, setWrong] = useState(false);
  const [isRefusing, setRefusing] = useState(false);
  const { isOwn, isMine, isFirst, fine } = useTwoPeople(row, amount);
  const { send, isPending, failure, forget } = acts;
  const words = { amount: formatAmount(row.firstApprovedAmount ?? amount) };
  const book = () => {
    setWrong(!isAmount(amount));
    if (!isAmount(amount)) return showField(document.getElementById('claim-amount'));
    onDecide();
    send({ state: 'booked', amount: Number(amount), seenCredits });
  };
  return (
    <SheetFoot
      fine={t(`claimList.sheet.${hasCredit ? creditFine : fine}`, words)}
      failure={failure}
      fields={
        <AmountField
          amount={amount}
          isWrong={isWrong}
          isDisabled={isOwn || hasCredit}
          onChange={(text) => {
            setAmount(text);
            setWrong(false);
            forget();
          }}
        />
      }
    >
      <RejectButton
        label={t('claimList.sheet.refuse')}
        isDisabled={isPending || isOwn}
        onOpen={() => setRefusing(true)}
      />
      {row.state === 'filed' && (
        <Button
          variant="default"
          disabled={isPending || isOwn}
          onClick={() => {
            onDecide();
            send({ state: 'asked' });
          }}
        >
          {t('claimList.sheet.ask')}
        </Button>
      )}
      <DecideButton
        isPending={isPending}
        isDisabled={isOwn || isMine || hasCredit}
        keyLabel={t('claimList.sheet.bookKey')}
        onDecide={book}
      >
        {t(`claimList.sheet.${bookNameOf(amount, isFirst)}`, { amount: formatAmount(amount) })}
      </DecideButton>
      <RefuseDialog
        name={row.userName}
        isOpen={isRefusing}
        isPending={isPending}
        failure={failure}
        onSubmit={(reason) => {
          onDecide();
          send({ state: 'refused', reason });
        }}
        onClose={() => setRefusing(false)}
      />
    </SheetFoot>
  );
}

type RefuseDialogProps = Omit<Parameters<typeof ReasonDialog>[0], 'words'> & { name: string };

function RefuseDialog({ name, ...rest }: RefuseDialogProps) {
  const { t } = useTranslation();
  const words = {
    title: t('claimList.refuse.title'),
    text: t('claimList.refuse.text', { name }),
    label: t('claimList.refuse.label'),
    help: t('claimList.refuse.help'),
    required: t('claimList.refuse.required'),
    submit: t('claimList.refuse.submit'),
  };
  return <ReasonDialog {...rest} act="claim.refuse" words={words} />;
}

type AmountFieldProps = {
  amount: string;
  isWrong: boolean;
  isDisabled: boolean;
  onChange: (text: string) => void;
};

function AmountField({ amount, isWrong, isDisabled, onChange }: AmountFieldProps) {
  const { t } = useTranslation();
  const max = formatPoints(CLAIM_POINTS_MAX);
  return (
    <TextInput
      id="claim-amount"
      className={styles.amount ?? ''}
      type="number"
      min={1}
      max={CLAIM_POINTS_MAX}
      step={1}
      inputMode="numeric"
      autoComplete="off"
      label={
        <FieldLabel text={t('claimList.sheet.amount')} help={t('claimList.sheet.amountHelp', { max })} />
      }
      value={amount}
      disabled={isDisabled}
      error={fieldError(isWrong ? t('claimList.sheet.amountError', { max }) : null)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
