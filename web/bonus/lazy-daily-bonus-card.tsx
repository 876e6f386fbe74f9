import { lazy, Suspense } from 'react';
import { withWords } from '#web/client/words.ts';
import { afterPaint } from '#web/ui/after-paint.ts';
import { DailyBonusSkeleton } from './daily-bonus-skeleton.tsx';

const DailyBonusCard = lazy(() =>
  afterPaint()
    .then(() => withWords(import('./daily-bonus-card.tsx'), 'bonus'))
    .then((file) => ({ default: file.DailyBonusCard })),
);

/** Loads the daily bonus card after the balance is shown, and shows its skeleton until then. */
export function LazyDailyBonusCard() {
  return (
    <Suspense fallback={<DailyBonusSkeleton />}>
      <DailyBonusCard />
    </Suspense>
  );
}
