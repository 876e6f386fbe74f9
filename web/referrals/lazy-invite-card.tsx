import { lazy, Suspense } from 'react';
import { withWords } from '#web/client/words.ts';
import { afterPaint } from '#web/ui/after-paint.ts';
import { InviteSkeleton } from './invite-skeleton.tsx';

const InviteCard = lazy(() =>
  afterPaint()
    .then(() => withWords(import('./invite-card.tsx'), 'referrals'))
    .then((file) => ({ default: file.InviteCard })),
);

/** Loads the invitation card after the balance is shown, and shows its skeleton until then. */
export function LazyInviteCard() {
  return (
    <Suspense fallback={<InviteSkeleton />}>
      <InviteCard />
    </Suspense>
  );
}
