import { IconCheck } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { Coin } from '#web/ui/coin.tsx';
import styles from './ways-to-earn.module.css';

type WayKey = 'surveys' | 'offers' | 'daily';

/** The three ways to earn, each with a small picture. */
export function WaysToEarn({ t, bonusRange }: { t: TFunction; bonusRange: string }) {
  return (
    <section className={styles.section} id="ways">
      <div className="wrap">
        <h2>{t('landing.ways.title')}</h2>
        <div className={styles.ways}>
          <Way t={t} way="surveys" picture={<SurveyPicture t={t} />} />
          <Way t={t} way="offers" picture={<StepsPicture t={t} />} />
          <Way t={t} way="daily" picture={<DailyPicture />} range={bonusRange} />
        </div>
      </div>
    </section>
  );
}

type WayProps = { t: TFunction; way: WayKey; picture: ReactNode; range?: string };

function Way({ t, way, picture, range = '' }: WayProps) {
  return (
    <article className={`card ${styles.way}`}>
      <div className={styles.picture} aria-hidden="true">
        {picture}
      </div>
      <h3>{t(`landing.ways.${way}.title`)}</h3>
      <p>{t(`landing.ways.${way}.text`)}</p>
      <p className={styles.pays}>{t(`landing.ways.${way}.pays`, { range })}</p>
    </article>
  );
}

function SurveyPicture({ t }: { t: TFunction }) {
  return (
    <ul className={styles.answers}>
      {(['rare', 'weekly', 'hardly'] as const).map((answer) => (
        <li key={answer} data-chosen={answer === 'weekly' || undefined}>
          <i />
          {t(`landing.ways.answers.${answer}`)}
        </li>
      ))}
    </ul>
  );
}

function StepsPicture({ t }: { t: TFunction }) {
  const steps = [
    { key: 'install', amount: '60 P', isDone: true },
    { key: 'level5', amount: '240 P', isDone: true },
    { key: 'level12', amount: '900 P', isDone: false },
  ] as const;
  return (
    <ol className={`num ${styles.steps}`}>
      {steps.map(({ key, amount, isDone }) => (
        <li key={key} data-done={isDone || undefined}>
          <b>{isDone && <IconCheck size={14} stroke={2.25} />}</b>
          {t(`landing.ways.steps.${key}`)}
          <span>{amount}</span>
        </li>
      ))}
    </ol>
  );
}

function DailyPicture() {
  return (
    <div className={styles.daily}>
      <Coin size={108} />
      <ol className="num">
        {[5, 10, 15].map((points) => (
          <li key={points} data-done>
            <IconCheck size={16} stroke={2} />
          </li>
        ))}
        {[20, 25, 30].map((points) => (
          <li key={points}>{points}</li>
        ))}
      </ol>
    </div>
  );
}
