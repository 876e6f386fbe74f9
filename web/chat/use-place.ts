import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { Row } from './rows.ts';

/** Nearer to the end than this, the reader is at it. */
const END_PX = 24;
/** Nearer to the beginning than this, older messages are fetched. */
const BEGINNING_PX = 600;
/** Kept free below the newest message. */
export const FOOT_PX = 12;

type PlaceOptions = {
  rows: readonly Row[];
  /** What stands under messages, which makes their rows higher. */
  notes: object | undefined;
  ownId: string;
  /** Whether messages are unread, so that the list opens where reading stopped and not at its end. */
  hasUnread: boolean;
  /** The row that is the last one in sight. */
  onSeen: (row: Row) => void;
  onBeginning: () => void;
};

/**
 * Keeps the reader's place in the list. It opens where reading stopped, or at the end. It goes with new messages only
 * while it is at the end, or when the reader writes one.
 */
export function usePlace(
  list: RefObject<VirtualizerHandle | null>,
  scroller: RefObject<HTMLElement | null>,
  { rows, notes, ownId, hasUnread, onSeen, onBeginning }: PlaceOptions,
) {
  const [isAtEnd, setAtEnd] = useState(true);
  const wasAtEnd = useRef(!hasUnread);
  const lastKey = useRef<string | undefined>(undefined);
  const count = rows.length;

  const goToEnd = useCallback(() => {
    list.current?.scrollToIndex(count - 1, { align: 'end', offset: FOOT_PX });
    // The list measures a new row after a frame, and scrolls no further than to it: the foot is none of its rows.
    const scrollFootIn = () => scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
    requestAnimationFrame(() => requestAnimationFrame(scrollFootIn));
  }, [list, scroller, count]);

  const look = useCallback(() => {
    const element = scroller.current;
    const handle = list.current;
    if (element === null || handle === null || count === 0) return;
    const bottom = element.scrollTop + element.clientHeight;
    wasAtEnd.current = element.scrollHeight - bottom < END_PX;
    setAtEnd(wasAtEnd.current);
    const index = wasAtEnd.current ? count - 1 : handle.findItemIndex(bottom - END_PX);
    const row = rows[index];
    if (row !== undefined && document.visibilityState === 'visible') onSeen(row);
    if (element.scrollTop < BEGINNING_PX) onBeginning();
  }, [list, scroller, rows, count, onSeen, onBeginning]);
  const latestLook = useRef(look);
  latestLook.current = look;

  const isPlaced = useFirstPlace(list, rows, hasUnread, latestLook);

  useLayoutEffect(() => {
    const last = rows.at(-1);
    const isNew = last !== undefined && last.key !== lastKey.current;
    lastKey.current = last?.key;
    if (!isPlaced || !isNew) return;
    const isOwn = last.kind === 'message' && last.message.userId === ownId;
    if (wasAtEnd.current || isOwn) goToEnd();
    // At the end without having to scroll, nothing else says that the row is seen.
    requestAnimationFrame(() => latestLook.current());
  }, [rows, ownId, isPlaced, goToEnd]);

  const latestEnd = useRef(goToEnd);
  latestEnd.current = goToEnd;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another note is the reason, though it is not read here.
  useLayoutEffect(() => {
    if (isPlaced && wasAtEnd.current) latestEnd.current();
  }, [notes, isPlaced]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // The field below grows and shrinks.
    const observer = new ResizeObserver(() => wasAtEnd.current && latestEnd.current());
    observer.observe(element);
    const comeBack = () => latestLook.current();
    document.addEventListener('visibilitychange', comeBack);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', comeBack);
    };
  }, [scroller]);

  return { isPlaced, isAtEnd, goToEnd, look };
}

/** So often the list is placed again while its rows are measured. */
const PLACED_TIMES_MAX = 60;

/** Whether a row is in sight, and the last one whole with the foot below it. */
function isInSight(list: VirtualizerHandle, index: number, isLast: boolean): boolean {
  const top = list.getItemOffset(index);
  const end = top + list.getItemSize(index);
  const seenTo = list.scrollOffset + list.viewportSize;
  return end > list.scrollOffset && (isLast ? end + FOOT_PX <= seenTo + 1 : top < seenTo);
}

/** Opens the list where reading stopped, or at its end, once the first messages are there. */
function useFirstPlace(
  list: RefObject<VirtualizerHandle | null>,
  rows: readonly Row[],
  hasUnread: boolean,
  latestLook: RefObject<() => void>,
): boolean {
  const [isPlaced, setPlaced] = useState(false);
  const isEmpty = rows.length === 0;
  const firstRows = useRef(rows);
  firstRows.current = rows;
  useLayoutEffect(() => {
    if (isEmpty) return;
    let frame = 0;
    const place = (times: number) => {
      const mark = firstRows.current.findIndex((row) => row.kind === 'message' && row.unreadSince !== null);
      const isLast = mark === -1 && !hasUnread;
      const index = isLast ? firstRows.current.length - 1 : mark;
      if (isLast) list.current?.scrollToIndex(index, { align: 'end', offset: FOOT_PX });
      else if (index !== -1) list.current?.scrollToIndex(index, { align: 'center' });
      const show = () => {
        // A slow device measures the rows later than the list waits for them, which then stays at its beginning.
        const handle = list.current;
        const isThere = index === -1 || handle === null || isInSight(handle, index, isLast);
        if (!isThere && times < PLACED_TIMES_MAX) return place(times + 1);
        setPlaced(true);
        latestLook.current();
      };
      // The list measures its rows before it is shown.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(show);
      });
    };
    place(1);
    return () => cancelAnimationFrame(frame);
  }, [isEmpty, hasUnread, list, latestLook]);
  return isPlaced;
}
