import { useNavigate, useSearch } from '@tanstack/react-router';
import { returnToStepBefore } from '#web/client/step-before.ts';

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
      if (returnToStepBefore('wall')) return;
      const without = ({ wall: _wall, ...rest }: { wall?: string }) => rest;
      void navigate({ to: '.', search: without, replace: true, resetScroll: false });
    },
  };
}
