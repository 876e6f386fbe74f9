import { Button } from '@mantine/core';
import { IconArrowLeft, IconInfoCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readChargebackProviders } from '#contract/earning-chargebacks.ts';
import { FailureLine } from '#web/admin/kit/failure-line.tsx';
import { useRead } from '#web/client/use-call.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import styles from './chargebacks.module.css';

type ChargebackNoticeProps = { hasNoStats: boolean; onTest: () => void };

/** The way back, and where providers send their reversals. */
export function ChargebackNotice({ hasNoStats, onTest }: ChargebackNoticeProps) {
  const { t } = useTranslation();
  const { data = [], isError } = useRead(readChargebackProviders);
  return (
    <>
      <Link to="/management-panel-x7k9w" className={`link ${styles.back}`}>
        <IconArrowLeft size={16} stroke={2} aria-hidden="true" />
        {t('chargebackList.back')}
      </Link>
      <details className={styles.info}>
        <summary>
          <IconInfoCircle size={16} stroke={2} aria-hidden="true" />
          {t('chargebackList.info.title')}
        </summary>
        <p>{t('chargebackList.info.text')}</p>
        {isError && <p role="alert">{t('chargebackList.info.failed')}</p>}
        <ul>
          {data.map(({ id, name, webhookUrl }) => (
            <li key={id}>
              <b>{name}</b>
              <span className={`mono ${styles.url}`}>{webhookUrl}</span>
              <CopyButton text={webhookUrl} label={t('chargebackList.info.copy', { name })} />
            </li>
          ))}
        </ul>
        <Button variant="default" size="sm" onClick={onTest}>
          {t('chargebackList.test.begin')}
        </Button>
      </details>
      <FailureLine text={hasNoStats ? t('chargebackList.statsFailed') : null} className={styles.failure} />
    </>
  );
}
