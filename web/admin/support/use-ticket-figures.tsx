import { useTranslation } from 'react-i18next';
import { readTicketFigures } from '#contract/support.ts';
import type { Total } from '#web/admin/kit/list-screen.ts';
import { totalOf } from '#web/admin/kit/list-totals.tsx';
import { usePollMs } from '#web/client/live-waiting.ts';
import { useRead } from '#web/client/use-call.ts';
import styles from './desk.module.css';
import { formatSpan } from './time-left.ts';

const POLL_MS = 5_000;
/** Has the height of a note, so that nothing moves when the figures come. */
const NO_NOTE = '\u00a0';

export const useTicketFigures = () =>
  useRead(readTicketFigures, undefined, { refetchInterval: usePollMs(POLL_MS, readTicketFigures.topic) });

/** How many tickets wait, how many of them too long, and how those of the last 30 days were answered. */
export function useTicketTotals(): Total[] {
  const { t, i18n } = useTranslation();
  const read = useTicketFigures();
  const count = (value: number) => t('tickets.count', { count: value });
  const atOnce = read.data?.resolvedAtOnce;
  return [
    {
      key: 'waiting',
      label: t('tickets.totals.waiting'),
      value: totalOf(read, ({ waiting }) => count(waiting)),
    },
    {
      key: 'late',
      label: t('tickets.totals.late'),
      value: totalOf(read, ({ late }) => (
        <span data-late={late > 0 || undefined} className={styles.late}>
          {count(late)}
        </span>
      )),
    },
    {
      key: 'firstAnswer',
      label: t('tickets.totals.firstAnswer'),
      value: totalOf(read, ({ firstAnswerMedianMinutes: minutes }) =>
        minutes === null ? t('tickets.totals.none') : formatSpan(minutes, i18n.language),
      ),
    },
    {
      key: 'atOnce',
      label: t('tickets.totals.atOnce'),
      value: totalOf(read, ({ resolvedAtOnce: { resolved, of } }) =>
        of === 0 ? t('tickets.totals.none') : `${Math.round((resolved * 100) / of)}%`,
      ),
      note: atOnce && (atOnce.of === 0 ? NO_NOTE : t('tickets.totals.of', { ...atOnce, count: atOnce.of })),
    },
  ];
}
