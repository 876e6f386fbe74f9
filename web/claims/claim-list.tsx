import { useTranslation } from 'react-i18next';
import { readClaims } from '#contract/claims.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { ClaimCard } from './claim-card.tsx';
import styles from './claim-list.module.css';

/** The member’s claims, newest first. Nothing where there are none. */
export function ClaimList({ place }: { place: 'page' | 'panel' }) {
  const { t } = useTranslation();
  const claims = useRead(readClaims);
  if (claims.isError)
    return (
      <ErrorState
        title={t('claims.list')}
        text={t(`refusals.${claims.error.code}`)}
        requestId={requestIdOf(claims.error)}
        onRetry={() => void claims.refetch()}
      />
    );
  if (claims.data === undefined || claims.data.length === 0) return null;
  const now = Date.now();
  return (
    <section className={styles.section} data-place={place} aria-label={t('claims.title')}>
      {place === 'page' && <h2>{t('claims.title')}</h2>}
      <ul className={styles.list}>
        {claims.data.map((claim) => (
          <ClaimCard key={claim.id} claim={claim} now={now} />
        ))}
      </ul>
    </section>
  );
}
