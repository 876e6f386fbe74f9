import { useTranslation } from 'react-i18next';
import { type KeyLine, useKeys } from './keys.ts';
import type { ListScreen } from './list-screen.ts';
import type { Selection } from './use-selection.ts';

/** The id of the button that opens a row. The row whose button has the focus is the current one. */
export const rowButtonId = (id: string) => `row-${id}`;

export const focusRow = (id: string) => document.getElementById(rowButtonId(id))?.focus();

/** The ids of a list's filters and of its search field. */
export const LIST_FILTERS_ID = 'list-filters';
export const LIST_SEARCH_ID = 'list-search';

/**
 * Keyboard control of a list: J, K and the arrows move, X selects a row, Shift X all to the current one and Shift A the
 * page, then the view; / searches, F goes to the filters, Esc closes the sheet. With the sheet closed the focus moves,
 * so that Enter opens; with the sheet open the next row opens. Alt with an arrow puts the row itself elsewhere, in a
 * list that has an order.
 */
export function useListKeys<Row extends { id: string }>(
  screen: ListScreen<Row>,
  selection: Selection<Row>,
  close: () => void,
) {
  const { t } = useTranslation();
  const { state, order } = screen;
  const { rows, openId } = state;
  const selectLines = useSelectLines(screen);
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
  const withCurrent = (act: (row: Row) => void) => () => {
    const row = rows[isOpen ? index : focusedIndex()];
    if (row !== undefined) act(row);
  };
  const put = (to: 'up' | 'down') => {
    const row = rows[isOpen ? index : focusedIndex()];
    if (row !== undefined) order?.move(row, to);
  };
  useKeys(
    [
      ...(order === undefined
        ? []
        : [
            { hotkey: 'alt+ArrowUp', act: () => put('up') },
            { hotkey: 'alt+ArrowDown', act: () => put('down') },
          ]),
      { hotkey: 'J', act: () => move(1) },
      { hotkey: 'K', act: () => move(-1) },
      { hotkey: 'X', act: withCurrent(selection.toggle) },
      { hotkey: 'shift+X', act: withCurrent(selection.extendTo) },
      { hotkey: 'shift+A', act: selection.selectMore },
      { hotkey: 'F', act: () => document.getElementById(LIST_FILTERS_ID)?.querySelector('button')?.focus() },
      { hotkey: '/', act: () => document.getElementById(LIST_SEARCH_ID)?.focus() },
      { hotkey: 'ArrowDown', act: () => isOpen && move(1), keepsDefault: !isOpen },
      { hotkey: 'ArrowUp', act: () => isOpen && move(-1), keepsDefault: !isOpen },
      { hotkey: 'Escape', act: () => isOpen && close(), keepsDefault: true },
    ],
    {
      title: t('list.keys.title'),
      lines: [
        { label: t('list.keys.move'), caps: ['J', 'K'], isOnStrip: true },
        { label: t('list.keys.open'), caps: ['Enter'], isOnStrip: true },
        ...(selection.canSelectAny ? selectLines : []),
        ...(order === undefined
          ? []
          : [
              { label: order.keys.up, caps: ['Alt', '↑'] },
              { label: order.keys.down, caps: ['Alt', '↓'] },
            ]),
        { label: t('list.keys.search'), caps: ['/'] },
        { label: t('list.keys.filter'), caps: ['F'] },
        { label: t('list.keys.close'), caps: ['Esc'] },
      ],
    },
  );
  return { index, move };
}

/** The lines of the keys that select. */
function useSelectLines<Row extends { id: string }>({ words, selectMax }: ListScreen<Row>): KeyLine[] {
  const { t } = useTranslation();
  const all = selectMax === undefined ? words.selectPage : t('list.keys.selectView');
  return [
    { label: t('list.keys.select'), caps: ['X'], isOnStrip: true },
    { label: t('list.keys.range'), caps: ['Shift', 'X'] },
    { label: all, caps: ['Shift', 'A'] },
  ];
}
