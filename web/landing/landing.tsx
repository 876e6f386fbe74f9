import type { TFunction } from 'i18next';
import { Benefits, Closing, type Payouts } from './benefits.tsx';
import { Hero } from './hero.tsx';
import styles from './landing.module.css';
import { type FrameProps, LandingFooter, LandingTop } from './landing-frame.tsx';
import { WaysToEarn } from './ways-to-earn.tsx';

/** `processingTime` and `bonusRange`, the points of a day, are the site's settings in the reader's language. */
export type LandingProps = FrameProps & { processingTime: string; bonusRange: string; payouts: Payouts };

/**
 * The front page for visitors. It is plain markup without the component library, so that it can be prerendered at
 * build time.
 */
export function Landing(props: LandingProps) {
  const { t } = props;
  return (
    <div className={styles.page}>
      <a className="skip-link" href="#main">
        {t('common.skip')}
      </a>
      <LandingTop {...props} />
      <main id="main" tabIndex={-1}>
        <Hero t={t} brandName={props.brandName} method={props.payouts.first} />
        <Facts t={t} processingTime={props.processingTime} />
        <WaysToEarn t={t} bonusRange={props.bonusRange} />
        <Benefits t={t} processingTime={props.processingTime} payouts={props.payouts} />
        <Closing t={t} />
      </main>
      <LandingFooter {...props} />
    </div>
  );
}

const facts = ['rate', 'smallest', 'time', 'fee'] as const;

function Facts({ t, processingTime }: { t: TFunction; processingTime: string }) {
  return (
    <section className={styles.facts} aria-label={t('landing.facts.label')}>
      <div className="wrap">
        <dl className="num">
          {facts.map((fact) => (
            <div key={fact}>
              <dt>{t(`landing.facts.${fact}.text`)}</dt>
              <dd>{fact === 'time' ? processingTime : t(`landing.facts.${fact}.figure`)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
