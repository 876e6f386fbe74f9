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

/** The card of the daily bonus, loaded after the balance is on the screen; its place is kept meanwhile. */
export function LazyDailyBonusCard() {
  return (
    <Suspense fallback={<div className={clsx('card', styles.card)} />}>
      <DailyBonusCard />
    </Suspense>
  );
}
