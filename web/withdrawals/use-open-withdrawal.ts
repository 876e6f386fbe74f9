import { useNavigate, useSearch } from '@tanstack/react-router';
import { returnToStepBefore } from '#web/client/step-before.ts';

/**
 * The open withdrawal dialog, kept in the URL. Opening it adds a history entry, so the browser's Back closes it and a
 * reload opens it again. For any page whose URL may have `new`.
 */
export function useOpenWithdrawal() {
  const isOpen = useSearch({ strict: false }).new === 'withdrawal';
  const navigate = useNavigate();
  const opened = (before: object) => ({ ...before, new: 'withdrawal' as const });
  const closed = ({ new: _new, ...rest }: { new?: 'withdrawal' }) => rest;
  return {
    isOpen,
    open: () => void navigate({ to: '.', search: opened, hash: true, resetScroll: false }),
    close: () => {
      if (returnToStepBefore('new')) return;
      void navigate({ to: '.', search: closed, hash: true, replace: true, resetScroll: false });
    },
  };
}
