import { Button } from '@mantine/core';
import { IconAlertTriangle, IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';
import type { Bounds, Draft } from './use-withdrawal.ts';
import styles from './withdrawal-dialog.module.css';
import { WithdrawalSummary } from './withdrawal-summary.tsx';

type CheckStepProps = {
  draft: Draft;
  bounds: Bounds;
  failure: ApiError | null;
  isPending: boolean;
  onBack: () => void;
  onSend: () => void;
};

/** The second step: the summary and the button that sends the request. */
export function CheckStep({ draft, bounds, failure, isPending, onBack, onSend }: CheckStepProps) {
  const { t } = useTranslation();
  return (
    <>
      <CheckHeading />
      <WithdrawalSummary draft={draft} bounds={bounds} />
      {failure !== null && (
        <div className={styles.failure} role="alert">
          <IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />
          <p>
            <b>{t('withdrawals.dialog.failed')}.</b> {t(`refusals.${failure.code}`)}{' '}
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
          onClick={onBack}
          disabled={isPending}
          leftSection={<IconArrowLeft size={20} stroke={1.75} aria-hidden="true" />}
        >
          {t('withdrawals.dialog.change')}
        </Button>
        <Button
          variant="money"
          className={styles.next}
          loading={isPending}
          aria-describedby="withdraw-final withdraw-summary"
          onClick={onSend}
        >
          {t('withdrawals.dialog.submit', { amount: formatAmount(draft.amount) })}
        </Button>
      </div>
    </>
  );
}

/** Takes the focus when the second step opens, so that a screen reader starts there. */
function CheckHeading() {
  const { t } = useTranslation();
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <p ref={heading} id="withdraw-final" tabIndex={-1} className={styles.lead}>
      {t('withdrawals.dialog.final')}
    </p>
  );
}
