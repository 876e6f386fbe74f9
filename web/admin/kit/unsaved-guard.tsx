import { useBlocker } from '@tanstack/react-router';
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
  const { t } = useTranslation();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && !isSame(current as Place, next as Place),
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      of={status === 'blocked' ? proceed : null}
      words={() => ({ title: t('unsaved.title'), text: t('unsaved.text'), submit: t('unsaved.leave') })}
      tone="danger"
      isPending={false}
      onSubmit={(leave) => leave()}
      onClose={() => reset?.()}
    />
  );
}
