import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { POINTS_PER_USD } from '#contract/points.ts';
import { formatAmount, formatDollars } from '#web/client/format.ts';
import catalogue from './catalogue-page.module.css';
import styles from './kiwiwall-page.module.css';
import { useProviderNames } from './provider-names.ts';
import { WallFrame } from './wall-frame.tsx';

const ID = 'kiwiwall';
const examples = [100, 1_000, 5_000];

/** KiwiWall in the page, with the value of points above it. */
export function KiwiwallPage() {
  const { t } = useTranslation();
  const nameOf = useProviderNames();
  const [attempt, setAttempt] = useState(0);
  return (
    <>
      <h1>{t('kiwiwall.title')}</h1>
      <p className={`dim ${catalogue.lead}`}>{t('kiwiwall.lead')}</p>
      <ExchangeRate />
      <section className={`card ${styles.wall}`} aria-label={t('kiwiwall.wall')}>
        <WallFrame
          id={ID}
          name={nameOf(ID) ?? t('earn.otherProvider')}
          attempt={attempt}
          onTryAgain={() => setAttempt(attempt + 1)}
        />
      </section>
    </>
  );
}

/** The value of points: the site's rate and a few examples. */
function ExchangeRate() {
  const { t } = useTranslation();
  return (
    <section className={`card ${styles.rate}`} aria-labelledby="rate">
      <div>
        <h2 id="rate">{t('kiwiwall.rate.title')}</h2>
        <p className={`num ${styles.figure}`}>
          {formatAmount(POINTS_PER_USD)} = {formatDollars(POINTS_PER_USD)}
        </p>
        <p className="caption dimmer">{t('kiwiwall.rate.text')}</p>
      </div>
      <dl className={styles.examples}>
        {examples.map((points) => (
          <div key={points}>
            <dt className="num">{formatAmount(points)}</dt>
            <dd className="num">{formatDollars(points)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
