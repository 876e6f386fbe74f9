import { useTranslation } from 'react-i18next';
import { siteDayText } from './site-days.ts';

/** The rows of a table by day, today first. */
export function useDayRows(days: readonly string[]) {
  const { i18n } = useTranslation();
  return (textsOf: (index: number) => readonly string[]): string[][] =>
    days.map((day, index) => [siteDayText(day, i18n.language), ...textsOf(index)]).reverse();
}
