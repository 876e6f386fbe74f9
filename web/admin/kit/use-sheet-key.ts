import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Key, type KeyLine, useKeys } from './keys.ts';

/** An act of the open sheet, as the palette lists it. */
export type SheetAct = KeyLine & { act: () => void };

const mounted = new Set<{ readonly current: SheetAct | null }>();

/** What the open sheet can do now, in the order in which its parts were mounted. */
export const sheetActs = (): SheetAct[] => [...mounted].flatMap(({ current }) => current ?? []);

/**
 * A key of the open sheet. The sheet of keys lists it with the other keys of the sheet, and the palette lists what it
 * does, while it is not off. What is sent while somebody types has a field of its own.
 */
export function useSheetKey({ act, ...key }: Key, line: KeyLine, isOff = false): void {
  const { t } = useTranslation();
  const press = (event: KeyboardEvent) => {
    if (!isOff) act(event);
  };
  useKeys([{ ...key, act: press }], { title: t('list.keys.sheet'), lines: [line] });
  const shown = useRef<SheetAct>(null);
  useEffect(() => {
    shown.current =
      isOff || key.isWhileTyping ? null : { ...line, act: () => act(new KeyboardEvent('keydown')) };
  });
  useEffect(() => {
    mounted.add(shown);
    return () => void mounted.delete(shown);
  }, []);
}

/** M leads from the open sheet to the page of the member whom it is about. */
export function useMemberKey(act: () => void): void {
  const { t } = useTranslation();
  useSheetKey({ hotkey: 'M', act }, { label: t('list.keys.member'), caps: ['M'], isOnStrip: true });
}
