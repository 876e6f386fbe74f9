import { IconArrowRight } from '@tabler/icons-react';
import clsx from 'clsx';
import type { TFunction } from 'i18next';
import { Amount } from '#web/ui/amount.tsx';
import card from '#web/ui/balance-card.module.css';
import { CardArt } from '#web/ui/balance-card.tsx';
import { BigFigure } from '#web/ui/big-figure.tsx';
import button from '#web/ui/plain-button.module.css';
import styles from './hero.module.css';
import { Lines } from './lines.tsx';

const rows = [
  { key: 'survey', amount: '180' },
  { key: 'game', amount: '240' },
  { key: 'bonus', amount: '20' },
  { key: 'paid', amount: '-2500' },
] as const;

/** The hero: one sentence about the site, with an example of a history beside it. */
export function Hero({ t, brandName, method }: { t: TFunction; brandName: string; method: string }) {
  return (
    <div className={clsx('wrap', styles.hero)}>
      <div>
        <h1>
          <Lines text={t('landing.hero.title')} />
        </h1>
        <p className={styles.lead}>{t('landing.hero.lead')}</p>
        <div className={styles.ways}>
          <a className={clsx(button.button, button.large, button.green)} href="/auth?tab=register">
            {t('landing.hero.start')}
            <IconArrowRight size={20} stroke={1.75} aria-hidden="true" />
          </a>
          <a className={clsx(button.button, button.large, button.outline)} href="/auth">
            {t('landing.hero.login')}
          </a>
        </div>
        <p className={styles.age}>{t('landing.hero.age')}</p>
      </div>
      <div className={styles.book} role="img" aria-label={t('landing.book.label')}>
        <div className={clsx(card.card, styles.balanceCard)}>
          <CardArt />
          <p className={styles.balance}>{t('landing.balance')}</p>
          <BigFigure text="720" unit="P" />
          <div className={styles.ticks} />
          <p className={clsx('num', styles.progress)}>
            <span>{t('landing.book.left')}</span>
            <span>1,000 P</span>
          </p>
        </div>
        <div className={clsx('card', styles.page)}>
          <ul>
            {rows.map(({ key, amount }) => (
              <li key={key}>
                <div>
                  <p className={styles.rowTitle}>{t(`landing.book.${key}.title`, { method })}</p>
                  <p className="caption dimmer">{t(`landing.book.${key}.meta`, { brand: brandName })}</p>
                </div>
                <Amount points={amount} signed />
              </li>
            ))}
          </ul>
          <span className={styles.stamp}>
            {t('landing.book.stamp')}
            <small className="num">{t('landing.book.stampDay')}</small>
          </span>
        </div>
      </div>
    </div>
  );
}
