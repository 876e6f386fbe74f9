import { useTranslation } from 'react-i18next';
import { readClaims } from '#contract/claims.ts';
import { useRead } from '#web/client/use-call.ts';
import { ReadFailure } from '#web/ui/read-state.tsx';
import { ClaimCard, ClaimRow } from './claim-card.tsx';
import { isNews } from './claim-days.ts';
import styles from './claim-list.module.css';

type ClaimListProps = {
  place: 'page' | 'panel';
  /** Called when a member has something to say about a claim that was turned down. */
  onProof: () => void;
};

/** The member’s claims, newest first; in the panel those that are open or new. Nothing where there are none. */
export function ClaimList({ place, onProof }: ClaimListProps) {
  const { t } = useTranslation();
  const claims = useRead(readClaims);
  if (claims.isError) return <ReadFailure read={claims} title={t('claims.list')} />;
  const now = Date.now();
  const shown = claims.data?.filter((claim) => place === 'page' || isNews(claim, now)) ?? [];
  if (shown.length === 0) return null;
  const Item = place === 'page' ? ClaimCard : ClaimRow;
  return (
    <section
      className={styles.section}
      data-place={place}
      aria-label={t(place === 'page' ? 'claims.title' : 'claims.list')}
    >
      {place === 'page' && <h2>{t('claims.title')}</h2>}
      <ul className={place === 'page' ? styles.list : undefined}>
        {shown.map((claim) => (
          <Item key={claim.id} claim={claim} now={now} onProof={onProof} />
        ))}
      </ul>
    </section>
  );
}
