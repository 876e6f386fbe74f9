import { lazy, Suspense } from 'react';
import { withWords } from '#web/client/words.ts';
import { afterPaint } from '#web/ui/after-paint.ts';
import { CoinFlipSkeleton } from './coin-flip-skeleton.tsx';

const CoinFlipCard = lazy(() =>
  afterPaint()
    .then(() => withWords(import('./coin-flip-card.tsx'), 'coinflip'))
    .then((file) => ({ default: file.CoinFlipCard })),
);

/** Loads the coin flip card after the balance is shown, and shows its skeleton until then. */
export function LazyCoinFlipCard() {
  return (
    <Suspense fallback={<CoinFlipSkeleton />}>
      <CoinFlipCard />
    </Suspense>
  );
}
