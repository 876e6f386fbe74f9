import { lazy, Suspense, useState } from 'react';

const WithdrawalDialog = lazy(() =>
  import('./withdrawal-dialog.tsx').then((file) => ({ default: file.WithdrawalDialog })),
);

type LazyWithdrawalDialogProps = { isOpen: boolean; onClose: () => void };

/** The withdrawal dialog, loaded when it is first wanted, because most visits to a screen don't need it. */
export function LazyWithdrawalDialog({ isOpen, onClose }: LazyWithdrawalDialogProps) {
  const [wasWanted, setWanted] = useState(isOpen);
  if (isOpen && !wasWanted) setWanted(true);
  if (!wasWanted) return null;
  return (
    <Suspense>
      <WithdrawalDialog isOpen={isOpen} onClose={onClose} />
    </Suspense>
  );
}
