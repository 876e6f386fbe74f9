import { IconArrowLeft, IconInfoCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Chargeback, readChargebacks } from '#contract/earning.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatTime, shortenMiddle } from '#web/client/format.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { Amount } from '#web/ui/amount.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import styles from './chargeback-history-page.module.css';

const SKELETONS = 3;

/** The earnings that providers reversed, each with its reason. */
export function ChargebackHistoryPage() {
  const { t } = useTranslation();
  const email = useSiteConfig().data?.brand.supportEmail;
  const list = useRead(readChargebacks);
  return (
    <>
      <div className={styles.head}>
        <h1>{t('chargebacks.title')}</h1>
        <Link to="/history" className={`link ${styles.back}`}>
          <IconArrowLeft size={16} stroke={2} aria-hidden="true" />
          {t('chargebacks.back')}
        </Link>
      </div>
      <div className={styles.notice} role="note">
        <IconInfoCircle size={20} stroke={1.75} aria-hidden="true" />
        <div>
          <p>{t('chargebacks.what')}</p>
          <p>{t('chargebacks.debt')}</p>
          {email !== undefined && (
            <p>
              {t('chargebacks.ask')}{' '}
              <a href={`mailto:${email}`} className="link">
                {email}
              </a>
            </p>
          )}
        </div>
      </div>
      <div className={styles.place}>
        <section className="card" aria-label={t('chargebacks.list')}>
          {list.isPending && <SkeletonRows count={SKELETONS} />}
          {list.isError && (
            <ErrorState
              title={t('chargebacks.failedTitle')}
              text={t('history.failedText')}
              requestId={requestIdOf(list.error)}
              onRetry={() => void list.refetch()}
            />
          )}
          {list.data?.length === 0 && (
            <EmptyState title={t('chargebacks.emptyTitle')} text={t('chargebacks.emptyText')} />
          )}
          {list.data !== undefined && list.data.length > 0 && <ChargebackTable chargebacks={list.data} />}
        </section>
      </div>
    </>
  );
}

/** A table. On a phone each row is a block, and each cell shows its label. */
function ChargebackTable({ chargebacks }: { chargebacks: Chargeback[] }) {
  const { t, i18n } = useTranslation();
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{t('chargebacks.list')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('chargebacks.date')}</th>
          <th scope="col" className={styles.amount}>
            {t('chargebacks.amount')}
          </th>
          <th scope="col">{t('chargebacks.provider')}</th>
          <th scope="col">{t('chargebacks.reason')}</th>
          <th scope="col">{t('chargebacks.transaction')}</th>
        </tr>
      </thead>
      <tbody>
        {chargebacks.map((entry) => (
          <tr key={entry.id}>
            <td className="num" data-label={t('chargebacks.date')}>
              {formatTime(entry.createdAt, i18n.language)}
            </td>
            <td className={styles.amount} data-label={t('chargebacks.amount')}>
              <Amount points={entry.amount} signed />
            </td>
            <td data-label={t('chargebacks.provider')}>
              {entry.provider === 'Manual' || entry.provider === 'Unknown'
                ? t(`chargebacks.providers.${entry.provider}`)
                : entry.provider}
            </td>
            <td data-label={t('chargebacks.reason')}>{t(`chargebacks.reasons.${entry.reason}`)}</td>
            <td data-label={t('chargebacks.transaction')}>
              {entry.txId === null ? (
                '–'
              ) : (
                <span className={styles.transaction}>
                  <span className="mono" title={entry.txId}>
                    {shortenMiddle(entry.txId, 10)}
                  </span>
                  <CopyButton text={entry.txId} label={t('history.detail.copy')} />
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
