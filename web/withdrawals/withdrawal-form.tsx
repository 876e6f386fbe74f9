import { Button } from '@mantine/core';
import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMember } from '#web/client/session.ts';
import { CheckStep } from './check-step.tsx';
import { DetailFields } from './detail-fields.tsx';
import { DialogHead } from './dialog-head.tsx';
import { RestrictionsNotice } from './restrictions-notice.tsx';
import { useDraft } from './use-draft.ts';
import type { WithdrawalMethod } from './use-withdrawal.ts';
import { useRestrictions } from './waiting.ts';
import styles from './withdrawal-dialog.module.css';
import { WithdrawalSummary } from './withdrawal-summary.tsx';

type WithdrawalFormProps = {
  methods: WithdrawalMethod[];
  balance: string;
  onClose: () => void;
  /** Called instead of `onClose` after a successful request. */
  onDone: () => void;
};

export function WithdrawalForm({ methods, balance, onClose, onDone }: WithdrawalFormProps) {
  const { t } = useTranslation();
  const { phoneVerified } = useMember();
  const { step, draft, bounds, errors, change, toCheck, back, send, isPending, failure } = useDraft(
    methods,
    balance,
    onDone,
  );
  const isStopped = (useRestrictions()?.stop ?? null) !== null;
  const obstacleId = isStopped ? 'withdraw-stopped' : phoneVerified ? undefined : 'withdraw-phone';
  const submit = (event: React.FormEvent) => {
    // Enter submits the form even if its button is disabled.
    if (obstacleId === undefined) toCheck(event);
    else event.preventDefault();
  };

  if (step === 1) {
    return (
      <form className={styles.details} onSubmit={submit} noValidate>
        <DialogHead step={1} onClose={onClose} />
        <div className={styles.fields}>
          <DetailFields methods={methods} draft={draft} bounds={bounds} errors={errors} onChange={change} />
        </div>
        <WithdrawalSummary draft={draft} bounds={bounds} isAside />
        <div className={styles.foot}>
          <RestrictionsNotice textId="withdraw-stopped" className={styles.restrictions} />
          {!phoneVerified && <PhoneNotice />}
          <div className={styles.actions}>
            <Button variant="subtle" onClick={onClose} className={styles.cancel}>
              {t('common.cancel')}
            </Button>
            <Button
              type="submit"
              className={styles.next}
              disabled={obstacleId !== undefined}
              aria-describedby={obstacleId}
              rightSection={<IconArrowRight size={20} stroke={1.75} aria-hidden="true" />}
            >
              {t('withdrawals.dialog.toCheck')}
            </Button>
          </div>
        </div>
      </form>
    );
  }
  return (
    <div className={styles.check}>
      <DialogHead step={2} onClose={onClose} />
      <CheckStep
        draft={draft}
        bounds={bounds}
        failure={failure}
        isPending={isPending}
        onBack={back}
        onSend={send}
      />
    </div>
  );
}

/** Explains why the button below is disabled, and links to the settings. */
function PhoneNotice() {
  const { t } = useTranslation();
  return (
    <div className={styles.failure} data-tone="warn" role="note">
      <IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />
      <p>
        <span id="withdraw-phone">{t('withdrawals.phoneNeeded')}</span>{' '}
        <Link to="/settings" className="link">
          {t('withdrawals.phoneLink')}
        </Link>
      </p>
    </div>
  );
}
