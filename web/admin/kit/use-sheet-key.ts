import { useTranslation } from 'react-i18next';
import { type Key, type KeyLine, useKeys } from './keys.ts';

/** A key of the open sheet. The sheet of keys lists it with the other keys of the sheet. */
export function useSheetKey(key: Key, line: KeyLine): void {
  const { t } = useTranslation();
  useKeys([key], { title: t('list.keys.sheet'), lines: [line] });
}
