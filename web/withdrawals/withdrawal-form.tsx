import { Button } from '@mantine/core';
import { IconAlertTriangle, IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMember } from '#web/shell/session.ts';
import { formatAmount } from '#web/ui/format.ts';
import { DetailFields } from './detail-fields.tsx';
import { Slip } from './slip.tsx';
import {
  boundsOf,
  type Draft,
  type FieldName,
  useDraftErrors,
  useSendDraft,
  type WithdrawalMethod,
} from './use-withdrawal.ts';
import styles from './withdrawal-dialog.module.css';
import { DialogHead } from './withdrawal-dialog.tsx';

type WithdrawalFormProps = { methods: WithdrawalMethod[]; balance: string; onClose: () => void };

export function WithdrawalForm({ methods, balance, onClose }: WithdrawalFormProps) {
  const { t } = useTranslation();
  const [step, setStep] = useState<1 | 2>(1);
  const [draft, setDraft] = useState<Draft>({
    method: methods[0]?.method ?? 'litecoin',
    amount: '',
    address: '',
  });
  const [errors, setErrors] = useState<Partial<Record<FieldName, string>>>({});
  const [toFocus, setToFocus] = useState<FieldName | null>(null);
  const errorsOf = useDraftErrors();
  const method = methods.find((one) => one.method === draft.method);
  const bounds = boundsOf(method, balance);

  const showError = (field: FieldName, message: string) => {
    setErrors({ [field]: message });
    setStep(1);
    setToFocus(field);
  };
  const { send, isPending, failure, forget } = useSendDraft(onClose, showError);

  useEffect(() => {
    if (toFocus === null || step !== 1) return;
    document.getElementById(`withdraw-${toFocus}`)?.focus();
    setToFocus(null);
  }, [toFocus, step]);

  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    setErrors({});
    forget();
  };

  const toCheck = (event: React.FormEvent) => {
    event.preventDefault();
    const found = errorsOf(draft, bounds);
    setErrors(found);
    if (found.amount !== undefined) setToFocus('amount');
    else if (found.address !== undefined) setToFocus('address');
    else setStep(2);
  };

  if (step === 1) {
    return (
      <form className={styles.details} onSubmit={toCheck} noValidate>
        <DialogHead step={1} onClose={onClose} />
        <div className={styles.fields}>
          <PhoneNotice />
          <DetailFields methods={methods} draft={draft} bounds={bounds} errors={errors} onChange={change} />
        </div>
        <Slip draft={draft} bounds={bounds} isAside />
        <div className={styles.actions}>
          <Button variant="subtle" onClick={onClose} className={styles.cancel}>
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            className={styles.next}
            rightSection={<IconArrowRight size={20} stroke={1.75} aria-hidden="true" />}
          >
            {t('withdrawals.dialog.toCheck')}
          </Button>
        </div>
      </form>
    );
  }
  return (
    <div className={styles.check}>
      <DialogHead step={2} onClose={onClose} />
      <CheckHeading />
      <Slip draft={draft} bounds={bounds} />
      {failure !== null && (
        <div className={styles.failure} role="alert">
          <IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />
          <p>
            <b>{t('withdrawals.dialog.failed')}</b> {t(`refusals.${failure.code}`)}{' '}
            {failure.code === 'phone-not-verified' && (
              <Link to="/settings" className="link">
                {t('withdrawals.phoneLink')}
              </Link>
            )}
          </p>
        </div>
      )}
      <div className={styles.actions}>
        <Button
          variant="subtle"
          onClick={() => setStep(1)}
          disabled={isPending}
          leftSection={<IconArrowLeft size={20} stroke={1.75} aria-hidden="true" />}
        >
          {t('withdrawals.dialog.change')}
        </Button>
        <Button variant="money" className={styles.next} loading={isPending} onClick={() => send(draft)}>
          {t('withdrawals.dialog.submit', { amount: formatAmount(draft.amount) })}
        </Button>
      </div>
    </div>
  );
}

/** Takes the focus when the second step opens, so that a screen reader begins with what to do there. */
function CheckHeading() {
  const { t } = useTranslation();
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <p ref={heading} tabIndex={-1} className={styles.lead}>
      {t('withdrawals.dialog.final')}
    </p>
  );
}

function PhoneNotice() {
  const { t } = useTranslation();
  const { phoneVerified } = useMember();
  if (phoneVerified) return null;
  return (
    <div className={styles.failure} data-tone="warn" role="note">
      <IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />
      <p>
        {t('withdrawals.phoneNeeded')}{' '}
        <Link to="/settings" className="link">
          {t('withdrawals.phoneLink')}
        </Link>
      </p>
    </div>
  );
}
