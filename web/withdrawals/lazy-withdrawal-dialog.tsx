import { lazy, Suspense, useState } from 'react';
import { withWords } from '#web/client/words.ts';
import type { WithdrawalDialogProps } from './withdrawal-dialog.tsx';

const WithdrawalDialog = lazy(() =>
  withWords(import('./withdrawal-dialog.tsx'), 'withdrawals').then((file) => ({
    default: file.WithdrawalDialog,
  })),
);

/** The withdrawal dialog, loaded when it first opens, because most visits don't need it. */
export function LazyWithdrawalDialog(props: WithdrawalDialogProps) {
  const { isOpen } = props;
  const [wasWanted, setWanted] = useState(isOpen);
  if (isOpen && !wasWanted) setWanted(true);
  if (!wasWanted) return null;
  return (
    <Suspense>
      <WithdrawalDialog {...props} />
    </Suspense>
  );
}
