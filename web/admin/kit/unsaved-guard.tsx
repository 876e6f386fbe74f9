import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** The parts of an address with which a form goes: the page, its tab and its open row. Filters leave it in place. */
type Place = { pathname: string; search: { tab?: unknown; open?: unknown } };
const isSame = (one: Place, other: Place): boolean =>
  one.pathname === other.pathname &&
  one.search.tab === other.search.tab &&
  one.search.open === other.search.open;

/**
 * Asks before what was typed in a form goes unsaved: by a link, the browser's Back, the next row, X or Escape, which
 * all change the address. The browser itself asks before the window is closed.
 */
export function UnsavedGuard({ isChanged }: { isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && !isSame(current as Place, next as Place),
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return <LeaveQuestion leave={status === 'blocked' ? proceed : null} stay={() => reset?.()} />;
}

type LeaveQuestionProps = { leave: (() => void) | null; stay: () => void };

function LeaveQuestion({ leave, stay }: LeaveQuestionProps) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      of={leave}
      words={() => ({ title: t('unsaved.title'), text: t('unsaved.text'), submit: t('unsaved.leave') })}
      tone="danger"
      isPending={false}
      onSubmit={(act) => act()}
      onClose={stay}
    />
  );
}

/** The same for a form in a dialog that is not in the address: X, Escape and its cancelling ask first. */
export function useGuardedClose(onClose: () => void) {
  const [isChanged, setChanged] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const leave = () => {
    setAsking(false);
    setChanged(false);
    onClose();
  };
  return {
    setChanged,
    /** Closes without a question, because everything is saved. */
    closeSaved: leave,
    close: () => (isChanged ? setAsking(true) : leave()),
    // Mounted only now: a question that waits would take the Escape that asks it for its answer.
    question: isAsking && <LeaveQuestion leave={leave} stay={() => setAsking(false)} />,
  };
}
