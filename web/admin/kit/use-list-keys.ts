import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import type { OperatorListState } from './use-operator-list.ts';
import type { Selection } from './use-selection.ts';

/** The id of the button that opens a row. The row whose button has the focus is the current one. */
export const rowButtonId = (id: string) => `row-${id}`;

export const focusRow = (id: string) => document.getElementById(rowButtonId(id))?.focus();

/** Whether the focused element uses the key itself: a field, a menu, or a dialog other than the sheet. */
function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="menu"], [role="dialog"]:not([data-sheet])') !== null) return true;
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox';
  return target.matches('textarea, select, [role="radiogroup"] *, [contenteditable="true"]');
}

/**
 * Keyboard control of a list: J, K and the arrows move, X selects, Esc closes the sheet. With the sheet closed the
 * focus moves, so that Enter opens; with the sheet open the next row opens. No key moves money. Keys are matched by
 * physical position, so that they work with a Korean layout.
 */
export function useListKeys<Row extends { id: string }>(
  state: OperatorListState<Row>,
  selection: Selection<Row>,
  { close, isBeside }: { close: () => void; isBeside: boolean },
) {
  const { rows, openId } = state;
  const index = rows.findIndex((row) => row.id === openId);
  const isOpen = openId !== null;
  const focusedIndex = () => rows.findIndex((row) => rowButtonId(row.id) === document.activeElement?.id);
  const move = (by: 1 | -1) => {
    const from = isOpen ? index : focusedIndex();
    const next = rows[from === -1 ? 0 : from + by];
    if (next === undefined) return;
    if (isOpen) state.open(next.id);
    else focusRow(next.id);
  };
  const select = () => {
    const row = rows[isOpen ? index : focusedIndex()];
    if (row !== undefined) selection.toggle(row);
  };
  const key = (name: string, act: () => void, preventDefault = true): HotkeyItem => [
    name,
    (event) => {
      if (isTaken(event.target) || event.isComposing) return;
      if (preventDefault) event.preventDefault();
      act();
    },
    { preventDefault: false, usePhysicalKeys: name.length === 1 },
  ];
  useHotkeys(
    [
      key('J', () => move(1)),
      key('K', () => move(-1)),
      key('X', select),
      key('ArrowDown', () => isOpen && move(1), isOpen),
      key('ArrowUp', () => isOpen && move(-1), isOpen),
      // Only for a sheet beside the table; a sheet over it handles Escape itself.
      key('Escape', () => isOpen && isBeside && close(), false),
    ],
    [],
  );
  return { index, move };
}
