import { Button } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DetailFields, type DetailFieldsProps } from './detail-fields.tsx';
import { RestrictionsNotice } from './restrictions-notice.tsx';
import { useRestrictions } from './waiting.ts';
import styles from './withdrawal-dialog.module.css';

type DetailsStepProps = DetailFieldsProps & {
  isPhoneNext: boolean;
  onCancel: () => void;
  onNext: () => void;
};

/** The first step: method, amount and address. Its button leads to the first error. */
export function DetailsStep({ isPhoneNext, onCancel, onNext, ...fields }: DetailsStepProps) {
  const { t } = useTranslation();
  const { stop = null, dayLimitUntil = null } = useRestrictions() ?? {};
  // A phone has room for Cancel only where it is needed: it ends a draft that was kept.
  const [isKept] = useState(fields.draft.amount !== '' || fields.draft.address !== '');
  const isStopped = stop !== null || dayLimitUntil !== null;
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    // Enter submits the form even if its button is disabled.
    if (!isStopped) onNext();
  };
  return (
    <form className={styles.step} onSubmit={submit} noValidate>
      <div className={styles.fields}>
        <DetailFields {...fields} />
      </div>
      <div className={styles.foot}>
        <RestrictionsNotice textId="withdraw-stopped" className={styles.restrictions} />
        <div className={styles.actions}>
          <Button
            variant="subtle"
            onClick={onCancel}
            className={styles.cancel}
            data-kept={isKept || undefined}
          >
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            className={styles.next}
            disabled={isStopped}
            aria-describedby={isStopped ? 'withdraw-stopped' : undefined}
            rightSection={<IconArrowRight size={20} stroke={1.75} aria-hidden="true" />}
          >
            {t(isPhoneNext ? 'withdrawals.dialog.toPhone' : 'withdrawals.dialog.toCheck')}
          </Button>
        </div>
      </div>
    </form>
  );
}
