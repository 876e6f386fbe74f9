import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * Which wall is open, as the address says: opening one is a step of its own, so that the browser's Back closes it
 * and stays here, and a reload opens it again. For every page whose address may hold `wall`.
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
 * Goes back to where the wall was opened, so that no Back opens it again. What the wall itself did in its frame are
 * steps too, hence not simply one step back. False where the step before is another page or cannot be known.
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
