import { Button } from '@mantine/core';
import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMember } from '#web/shell/session.ts';
import { CheckStep } from './check-step.tsx';
import { DetailFields } from './detail-fields.tsx';
import { DialogHead } from './dialog-head.tsx';
import { Slip } from './slip.tsx';
import { useDraft } from './use-draft.ts';
import type { WithdrawalMethod } from './use-withdrawal.ts';
import styles from './withdrawal-dialog.module.css';

type WithdrawalFormProps = { methods: WithdrawalMethod[]; balance: string; onClose: () => void };

export function WithdrawalForm({ methods, balance, onClose }: WithdrawalFormProps) {
  const { t } = useTranslation();
  const { step, draft, bounds, errors, change, toCheck, back, send, isPending, failure } = useDraft(
    methods,
    balance,
    onClose,
  );

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
