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

/** Loads the coin flip card after the balance is shown, and reserves its space. */
export function LazyCoinFlipCard() {
  return (
    <Suspense fallback={<div className={clsx('card', styles.card)} />}>
      <CoinFlipCard />
    </Suspense>
  );
}
