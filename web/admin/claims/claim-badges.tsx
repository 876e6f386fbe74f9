import { IconMessageQuestion } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { OperatorClaim } from '#contract/claims.ts';
import { formatTime } from '#web/client/format.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const looks = {
  filed: { tone: 'wait' },
  asked: { tone: 'wait', icon: IconMessageQuestion },
  booked: { tone: 'ok' },
  refused: { tone: 'bad' },
} as const;

export function ClaimBadge({ state }: Pick<OperatorClaim, 'state'>) {
  const { t } = useTranslation();
  return <StatusBadge {...looks[state]}>{t(`claimList.choices.state.${state}`)}</StatusBadge>;
}

export const isOpen = ({ state }: Pick<OperatorClaim, 'state'>): boolean =>
  state === 'filed' || state === 'asked';

function clockText(leftMs: number, t: TFunction): string {
  const ms = Math.abs(leftMs);
  const days = { count: Math.floor(ms / DAY_MS) };
  const hours = { count: Math.max(1, Math.floor(ms / HOUR_MS)) };
  if (leftMs < 0)
    return ms < 2 * DAY_MS ? t('claimList.clock.hoursOver', hours) : t('claimList.clock.daysOver', days);
  if (ms < HOUR_MS)
    return t('claimList.clock.minutesLeft', { count: Math.max(1, Math.floor(ms / MINUTE_MS)) });
  return ms < 2 * DAY_MS ? t('claimList.clock.hoursLeft', hours) : t('claimList.clock.daysLeft', days);
}

const toneOf = (leftMs: number) => {
  if (leftMs < 0) return 'blocked';
  return leftMs < DAY_MS ? 'warn' : 'wait';
};

/** What is left until the next step of an open claim is due, or how late it is, as text. */
export function useClockText() {
  const { t } = useTranslation();
  return ({ dueAt }: OperatorClaim): string => clockText(Date.parse(dueAt) - Date.now(), t);
}

/** What is left until the next step is due, or how late it is; nothing for a decided claim. */
export function ClaimClock({ row, now = Date.now() }: { row: OperatorClaim; now?: number }) {
  const { t, i18n } = useTranslation();
  if (!isOpen(row)) return <span className="dim">–</span>;
  const leftMs = Date.parse(row.dueAt) - now;
  return (
    <span title={formatTime(row.dueAt, i18n.language)}>
      <StatusBadge tone={toneOf(leftMs)}>{clockText(leftMs, t)}</StatusBadge>
    </span>
  );
}
