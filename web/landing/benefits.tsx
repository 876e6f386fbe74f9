import { IconArrowRight, IconClock, IconLayoutList, IconShieldCheck } from '@tabler/icons-react';
import clsx from 'clsx';
import type { TFunction } from 'i18next';
import { BalanceCard } from '#web/ui/balance-card.tsx';
import button from '#web/ui/plain-button.module.css';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './benefits.module.css';
import { Lines } from './lines.tsx';

const reasons = [
  { key: 'safe', Icon: IconShieldCheck },
  { key: 'fast', Icon: IconClock },
  { key: 'variety', Icon: IconLayoutList },
] as const;

const steps = ['requested', 'approved', 'sent', 'confirmed'] as const;

/** The payment methods that are switched on: all of them, and two for examples. */
export type Payouts = { methods: string; first: string; last: string };

type BenefitsProps = { t: TFunction; processingTime: string; payouts: Payouts };

/** Three reasons to use the site, and an example of a withdrawal with all its steps. */
export function Benefits({ t, processingTime, payouts }: BenefitsProps) {
  const method = payouts.last;
  return (
    <section className={clsx('wrap', styles.benefits)} id="why">
      <div>
        <h2>{t('landing.why.title')}</h2>
        <p className={styles.lead}>{t('landing.why.lead')}</p>
        <div
          className={clsx('card', styles.example)}
          role="img"
          aria-label={t('landing.why.example.label', { method })}
        >
          <div className={styles.exampleHead}>
            <span>{t('landing.why.example.title', { method })}</span>
            <StatusBadge tone="ok">{t('withdrawalStatus.approved')}</StatusBadge>
          </div>
          <ol className="num">
            {steps.map((step) => (
              <li key={step}>
                {t(`landing.why.example.${step}`)}
                {step === 'sent' && <span className="mono"> 7d0c93ae…be02</span>}
                <span className={styles.when}>{t(`landing.why.example.${step}At`)}</span>
              </li>
            ))}
          </ol>
        </div>
      </div>
      <ul className={styles.reasons}>
        {reasons.map(({ key, Icon }) => (
          <li key={key}>
            <Icon size={28} stroke={1.5} aria-hidden="true" />
            <div>
              <h3>{t(`landing.why.${key}.title`)}</h3>
              <p>{t(`landing.why.${key}.text`, { time: processingTime, methods: payouts.methods })}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The call to action at the end of the page. */
export function Closing({ t }: { t: TFunction }) {
  return (
    <div className="wrap">
      <BalanceCard className={styles.closing} labelledBy="closing">
        <div>
          <h2 id="closing">
            <Lines text={t('landing.closing.title')} />
          </h2>
          <p>{t('landing.closing.text')}</p>
        </div>
        <a className={clsx(button.button, button.large, button.paper)} href="/auth?tab=register">
          {t('landing.closing.start')}
          <IconArrowRight size={20} stroke={1.75} aria-hidden="true" />
        </a>
      </BalanceCard>
    </div>
  );
}
