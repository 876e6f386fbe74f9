import clsx from 'clsx';
import { lazy, Suspense } from 'react';
import { withWords } from '#web/client/words.ts';
import { afterPaint } from '#web/ui/after-paint.ts';
import styles from './daily-bonus-card.module.css';

const DailyBonusCard = lazy(() =>
  afterPaint()
    .then(() => withWords(import('./daily-bonus-card.tsx'), 'bonus'))
    .then((file) => ({ default: file.DailyBonusCard })),
);

/** Loads the daily bonus card after the balance is shown, and reserves its space. */
export function LazyDailyBonusCard() {
  return (
    <Suspense fallback={<div className={clsx('card', styles.card)} />}>
      <DailyBonusCard />
    </Suspense>
  );
}
