import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecipientCounts } from '#contract/broadcasts.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatPoints } from '#web/client/format.ts';
import { ReadState } from '#web/ui/read-state.tsx';
import styles from './broadcasts.module.css';
import { counted } from './counted.ts';
import { RecipientsDialog } from './recipients-dialog.tsx';

/** Who gets a broadcast now, as a sum: who wants mail, less who can't have it. */
export function CountCard({ counts }: { counts: UseQueryResult<RecipientCounts, ApiError> }) {
  const { t } = useTranslation();
  return (
    <section className={`card ${styles.side}`} aria-labelledby="broadcast-count">
      <h2 id="broadcast-count">{t('broadcast.count.title')}</h2>
      <p className={styles.note}>{t('broadcast.count.text')}</p>
      {counts.data === undefined ? <ReadState read={counts} rows={5} /> : <Sum counts={counts.data} />}
    </section>
  );
}

/** Always shown; the other reasons appear with their first member. */
const usual: readonly string[] = ['suspended', 'leaving'];
const reasons = ['suspended', 'leaving', 'unconfirmed', 'givenUp'] as const;

function Sum({ counts }: { counts: RecipientCounts }) {
  const { t } = useTranslation();
  const [isListed, setListed] = useState(false);
  const { switchedOn, recipients, korean, english } = counts;
  const people = (count: number) => t('broadcast.people', counted(count));
  return (
    <>
      <dl className={styles.sum}>
        <div>
          <dt>{t('broadcast.count.switchedOn')}</dt>
          <dd>{people(switchedOn)}</dd>
        </div>
        {reasons
          .filter((reason) => usual.includes(reason) || counts[reason] > 0)
          .map((reason) => (
            <div key={reason}>
              <dt>{t(`broadcast.count.${reason}`)}</dt>
              <dd>{counts[reason] === 0 ? people(0) : `−${people(counts[reason])}`}</dd>
            </div>
          ))}
        <div data-total>
          <dt>{t('broadcast.count.recipients')}</dt>
          <dd>{people(recipients)}</dd>
        </div>
        <div>
          <dt>{t('broadcast.count.languages')}</dt>
          <dd>{`${formatPoints(korean)} · ${formatPoints(english)}`}</dd>
        </div>
      </dl>
      <button type="button" className="link" onClick={() => setListed(true)}>
        {t('broadcast.count.show')}
      </button>
      <RecipientsDialog isOpen={isListed} recipients={recipients} onClose={() => setListed(false)} />
    </>
  );
}
