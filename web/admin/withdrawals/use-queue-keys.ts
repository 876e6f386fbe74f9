import { useHotkeys } from '@mantine/hooks';
import type { Queue } from './use-queue.ts';

/**
 * Moves through the queue with J and K or the arrows, and closes the sheet with Esc. What moves money has no
 * key. Over a dialog (`isOff`) nothing moves; where the sheet lies over the table it closes itself.
 */
export function useQueueKeys(
  queue: Queue,
  close: () => void,
  { isOff, isBeside }: { isOff: boolean; isBeside: boolean },
) {
  const index = queue.rows.findIndex((row) => row.id === queue.openId);
  const isOpen = queue.openId !== null;
  const move = (by: 1 | -1) => {
    const next = queue.rows[index === -1 ? 0 : index + by];
    if (next !== undefined && !isOff) queue.open(next.id);
  };
  useHotkeys([
    ['J', () => move(1)],
    ['K', () => move(-1)],
    ['ArrowDown', () => isOpen && move(1), { preventDefault: isOpen }],
    ['ArrowUp', () => isOpen && move(-1), { preventDefault: isOpen }],
    ['Escape', () => !isOff && isOpen && isBeside && close(), { preventDefault: false }],
  ]);
  return { index, move };
}
