import { useTranslation } from 'react-i18next';
import { useKeys } from './keys.ts';

/** Marks the button of a sheet that takes its act back. */
export const SHEET_UNDO = { 'data-undo': 'sheet' };

/** Z presses the undo of the open sheet, else that of the message of the last act, while either is there. */
export function useUndoKey() {
  const { t } = useTranslation();
  const press = () => {
    const [sheet, message] = ['sheet', 'message'].map((place) =>
      document.querySelector<HTMLButtonElement>(`[data-undo="${place}"]`),
    );
    (sheet ?? message)?.click();
  };
  useKeys([{ hotkey: 'Z', act: press }], {
    title: t('list.keys.title'),
    lines: [{ label: t('list.keys.undo'), caps: ['Z'] }],
  });
}
