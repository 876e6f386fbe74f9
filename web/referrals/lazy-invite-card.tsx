import clsx from 'clsx';
import { lazy, Suspense } from 'react';
import styles from './invite-card.module.css';

const InviteCard = lazy(() => import('./invite-card.tsx').then((file) => ({ default: file.InviteCard })));

/** The invitation, loaded after the balance is on the screen; its place is kept meanwhile. */
export function LazyInviteCard() {
  return (
    <Suspense fallback={<div className={clsx('card', styles.card)} />}>
      <InviteCard />
    </Suspense>
  );
}
