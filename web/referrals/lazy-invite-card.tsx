import clsx from 'clsx';
import { lazy, Suspense } from 'react';
import { withWords } from '#web/client/words.ts';
import { afterPaint } from '#web/ui/after-paint.ts';
import styles from './invite-card.module.css';

const InviteCard = lazy(() =>
  afterPaint()
    .then(() => withWords(import('./invite-card.tsx'), 'referrals'))
    .then((file) => ({ default: file.InviteCard })),
);

/** Loads the invitation card after the balance is shown, and reserves its space. */
export function LazyInviteCard() {
  return (
    <Suspense fallback={<div className={clsx('card', styles.card)} />}>
      <InviteCard />
    </Suspense>
  );
}
