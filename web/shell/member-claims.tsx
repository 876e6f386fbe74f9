import { lazy, Suspense, useState } from 'react';
import { ClaimList } from '#web/claims/claim-list.tsx';
import { withWords } from '#web/client/words.ts';

const ProofDialog = lazy(() =>
  withWords(import('./proof-dialog.tsx'), 'support').then((file) => ({ default: file.ProofDialog })),
);

/** The member's claims. One that was turned down leads to a request, which is another feature's. */
export function MemberClaims({ place }: { place: 'page' | 'panel' }) {
  const [isOpen, setOpen] = useState(false);
  const [wasWanted, setWanted] = useState(false);
  return (
    <>
      <ClaimList
        place={place}
        onProof={() => {
          setWanted(true);
          setOpen(true);
        }}
      />
      {wasWanted && (
        <Suspense>
          <ProofDialog isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
