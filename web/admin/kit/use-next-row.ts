import { useEffect, useState } from 'react';
import type { SheetPosition } from './list-screen.ts';

/**
 * Goes on to the next waiting row after a decision: the one that was next when the decision was sent, because the list
 * may have changed since. After the last one the sheet closes.
 */
export function useNextRow<Row extends { id: string }>(
  { following, open, close }: SheetPosition<Row>,
  isDone: boolean,
): {
  /** Called when the decision is sent. */
  remember: () => void;
  /** Opens the next row now. */
  goOn: () => void;
} {
  const [next, setNext] = useState<string | null>(null);
  useEffect(() => {
    if (next === null || !isDone) return;
    if (next === '') close();
    else open(next);
  }, [next, isDone, open, close]);
  return {
    remember: () => setNext(following?.id ?? ''),
    goOn: () => (following === undefined ? close() : open(following.id)),
  };
}
