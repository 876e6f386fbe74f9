import clsx from 'clsx';
import { lazy, Suspense } from 'react';
import { withWords } from '#web/client/words.ts';
import { afterPaint } from '#web/ui/after-paint.ts';
import styles from './coin-flip-card.module.css';

const CoinFlipCard = lazy(() =>
  afterPaint()
    .then(() => withWords(import('./coin-flip-card.tsx'), 'coinflip'))
    .then((file) => ({ default: file.CoinFlipCard })),
);

/** The coin flip, loaded after the balance is on the screen; its place is kept meanwhile. */
export function LazyCoinFlipCard() {
  return (
    <Suspense fallback={<div className={clsx('card', styles.card)} />}>
      <CoinFlipCard />
    </Suspense>
  );
}
