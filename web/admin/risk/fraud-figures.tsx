import { useTranslation } from 'react-i18next';
import { type FraudStats, readFraudStats } from '#contract/risk-signals.ts';
import { ListTotals, totalOf } from '#web/admin/kit/list-totals.tsx';
import { formatPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';

const POLL_MS = 30_000;
/** The server counts no further. */
const COUNT_MAX = 10_000;
const figures = [
  'suspiciousActivities',
  'blockedUsers',
  'highRiskSessions',
  'deviceDuplicates',
  'duplicateWallets',
] as const satisfies readonly (keyof FraudStats)[];

export const figureText = (count: number) => `${formatPoints(count)}${count >= COUNT_MAX ? '+' : ''}`;

/** The figures, which the server counts again. */
export const useFraudStats = () => useRead(readFraudStats, undefined, { refetchInterval: POLL_MS });

/** The five specified figures. */
export function FraudFigures() {
  const { t } = useTranslation();
  const stats = useFraudStats();
  return (
    <ListTotals
      totals={figures.map((figure) => ({
        key: figure,
        label: t(`fraud.figures.${figure}`),
        value: totalOf(stats, (data) => figureText(data[figure])),
      }))}
    />
  );
}
