import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * The open wall, kept in the URL. Opening a wall adds a history entry, so the browser's Back closes it and a reload
 * opens it again. For any page whose URL may have `wall`.
 */
export function useOpenWall() {
  const id = useSearch({ strict: false }).wall ?? null;
  const navigate = useNavigate();
  return {
    id,
    show: (wall: string) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, wall }), resetScroll: false }),
    close: () => {
      if (returnToStepBefore()) return;
      const without = ({ wall: _wall, ...rest }: { wall?: string }) => rest;
      void navigate({ to: '.', search: without, replace: true, resetScroll: false });
    },
  };
}

/**
 * Goes back to the history entry from which the wall was opened, so that Back can't open the wall again. Pages inside
 * the frame add entries too, so going back by one would not be enough. Returns false if that entry is another page or
 * unknown.
 */
function returnToStepBefore(): boolean {
  if (!('navigation' in window)) return false;
  const { currentEntry } = navigation;
  const before = navigation.entries()[(currentEntry?.index ?? 0) - 1];
  const closed = new URL(location.href);
  closed.searchParams.delete('wall');
  if (before?.url !== closed.href) return false;
  navigation.traverseTo(before.key);
  return true;
}
