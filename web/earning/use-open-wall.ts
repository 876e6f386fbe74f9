import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Wall } from './provider-tile.tsx';

/**
 * Which wall is open, as the address says: opening one is a step of its own, so that the browser's Back closes it
 * and stays here, and a reload opens it again.
 */
export function useOpenWall(walls: Wall[] | undefined) {
  const id = useSearch({ from: '/member/earn' }).wall;
  const navigate = useNavigate({ from: '/earn' });
  return {
    opened: walls?.find((wall) => wall.id === id) ?? null,
    show: (wall: Wall) => void navigate({ search: { wall: wall.id }, resetScroll: false }),
    close: () => {
      if (!returnToStepBefore()) void navigate({ search: {}, replace: true, resetScroll: false });
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
  if (before?.url !== `${location.origin}${location.pathname}`) return false;
  navigation.traverseTo(before.key);
  return true;
}
