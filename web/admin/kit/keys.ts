import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import { useEffect, useRef, useSyncExternalStore } from 'react';

/**
 * The keys of operators' screens, in one mechanism. A screen declares its keys with `useKeys`; the sheet of keys lists
 * those that are mounted.
 *
 * A key does nothing while somebody types or composes a syllable, and where a menu or a dialog is open. Letters are
 * matched by their place on the keyboard, so that they work with a Korean layout. Keys of a single character can be
 * switched off, because speech input types them by accident (WCAG 2.1.4). No key here moves money.
 */
export type Key = {
  /** Such as `J`, `shift+X`, `ArrowDown` or `mod+K`; `mod` is Ctrl, on a Mac also Command. */
  hotkey: string;
  act: (event: KeyboardEvent) => void;
  /** Whether the browser still does what it usually does at this key. */
  keepsDefault?: boolean;
  /** Also while somebody types. */
  isWhileTyping?: true;
};

/**
 * A line of the sheet of keys: what the keys do, and their caps. In a sequence one follows the other. Those that an
 * operator needs at every row stand in the strip below the list too.
 */
export type KeyLine = { label: string; caps: readonly string[]; isSequence?: true; isOnStrip?: true };
export type KeyGroup = { title: string; lines: readonly KeyLine[] };

const STORAGE_KEY = 'operatorSingleKeys';

/** Whether keys of a single character are on in this browser. */
export const areSingleKeysOn = (): boolean => localStorage.getItem(STORAGE_KEY) !== 'off';

export function switchSingleKeys(areOn: boolean): void {
  if (areOn) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, 'off');
}

/** Whether a menu or a dialog other than a row's sheet has the focus. */
const isInDialog = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  target.closest('[role="menu"], [role="dialog"]:not([data-sheet])') !== null;

/** Whether the event belongs to what has the focus: a field, a menu or a dialog. */
export function isTaken(event: KeyboardEvent): boolean {
  const { target, isComposing } = event;
  if (isComposing || isInDialog(event)) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox';
  return target.matches('textarea, select, [role="radiogroup"] *, [contenteditable="true"]');
}

const isLetter = (character: string): boolean => /^[A-Z]$/.test(character);

function itemOf({ hotkey, act, keepsDefault = false, isWhileTyping }: Key): HotkeyItem {
  const character = hotkey.replace(/^shift\+/, '');
  const isSingle = character.length === 1;
  return [
    hotkey,
    (event) => {
      if (isWhileTyping === true ? isInDialog(event) : isTaken(event)) return;
      if (isSingle && !areSingleKeysOn()) return;
      if (!keepsDefault) event.preventDefault();
      act(event);
    },
    { preventDefault: false, usePhysicalKeys: isLetter(hotkey.slice(-1)) },
  ];
}

/** The groups of the mounted screens, in the order in which they were mounted, and who is told of a change. */
const mounted = new Set<{ current: KeyGroup }>();
const listeners = new Set<() => void>();
let mountedGroups: readonly KeyGroup[] = [];

function tellMounted(): void {
  mountedGroups = [...mounted].map(({ current }) => current);
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The keys of the mounted screens. Groups with one title are one. */
export function useMountedKeys(): KeyGroup[] {
  const groups = useSyncExternalStore(listen, () => mountedGroups);
  return [...Map.groupBy(groups, ({ title }) => title)].map(([title, same]) => ({
    title,
    lines: same.flatMap(({ lines }) => lines),
  }));
}

/** Handles keys while the component is mounted, and lists them in the sheet of keys if it has lines. */
export function useKeys(keys: readonly Key[], group?: KeyGroup): void {
  useHotkeys(keys.map(itemOf), []);
  const shown = useRef<KeyGroup>({ title: '', lines: [] });
  // A group is made anew at every render, so that its text tells whether it changed.
  const text = group === undefined ? undefined : JSON.stringify(group);
  useEffect(() => {
    if (text === undefined) return;
    shown.current = JSON.parse(text);
    mounted.add(shown);
    tellMounted();
    return () => {
      mounted.delete(shown);
      tellMounted();
    };
  }, [text]);
}
