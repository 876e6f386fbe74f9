import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import { useEffect, useRef } from 'react';

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

/** A line of the sheet of keys: what the keys do, and their caps. In a sequence one follows the other. */
export type KeyLine = { label: string; caps: readonly string[]; isSequence?: true };
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

/** The groups of the mounted screens, in the order in which they were mounted. */
const mounted = new Set<{ current: KeyGroup }>();

/** The keys of the mounted screens, for the sheet of keys. */
export const mountedKeyGroups = (): KeyGroup[] => [...mounted].map(({ current }) => current);

/** Handles keys while the component is mounted, and lists them in the sheet of keys if it has lines. */
export function useKeys(keys: readonly Key[], group?: KeyGroup): void {
  useHotkeys(keys.map(itemOf), []);
  const shown = useRef<KeyGroup>({ title: '', lines: [] });
  const isListed = group !== undefined;
  useEffect(() => {
    if (group !== undefined) shown.current = group;
  });
  useEffect(() => {
    if (!isListed) return;
    mounted.add(shown);
    return () => void mounted.delete(shown);
  }, [isListed]);
}
