import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { RegistrationReview } from '#contract/access-registration-reviews.ts';
import { formatTime } from '#web/client/format.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
/** From here on the promised time is nearly over. */
const SOON_S = 6 * HOUR_S;

const flagTones = {
  'shared-device': 'warn',
  'banned-member': 'blocked',
  'throwaway-mailbox': 'warn',
  unknown: 'warn',
} as const;
type Flag = keyof typeof flagTones;

/** Why a registration waits. One from before the reasons were stored does not say which. */
export const flagsOf = ({ flags }: RegistrationReview): readonly Flag[] =>
  flags.length === 0 ? ['unknown'] : flags;

export function FlagBadges({ row }: { row: RegistrationReview }) {
  const { t } = useTranslation();
  return flagsOf(row).map((flag, index) => (
    <span key={flag}>
      {index > 0 && ' '}
      <StatusBadge tone={flagTones[flag]}>{t(`registrations.flags.${flag}`)}</StatusBadge>
    </span>
  ));
}

/** What is left of the promised time, or how long ago it ended, in the largest unit that says enough. */
function clockText(secondsLeft: number, t: TFunction): string {
  const seconds = Math.abs(secondsLeft);
  const minutes = { count: Math.max(1, Math.floor(seconds / MINUTE_S)) };
  const hours = { count: Math.floor(seconds / HOUR_S) };
  if (secondsLeft >= 0)
    return seconds < HOUR_S
      ? t('registrations.clock.minutesLeft', minutes)
      : t('registrations.clock.hoursLeft', hours);
  if (seconds < HOUR_S) return t('registrations.clock.minutesOver', minutes);
  if (seconds < 2 * DAY_S) return t('registrations.clock.hoursOver', hours);
  return t('registrations.clock.daysOver', { count: Math.floor(seconds / DAY_S) });
}

const toneOf = (secondsLeft: number) => {
  if (secondsLeft < 0) return 'blocked';
  return secondsLeft < SOON_S ? 'warn' : 'wait';
};

const decisionTones = { open: 'wait', approved: 'ok', rejected: 'bad' } as const;

/** The clock of a registration that waits, or what was decided. */
export function ClockBadge({ row: { secondsLeft, status, dueAt } }: { row: RegistrationReview }) {
  const { t, i18n } = useTranslation();
  if (secondsLeft === null)
    return (
      <StatusBadge tone={decisionTones[status]}>{t(`registrations.choices.status.${status}`)}</StatusBadge>
    );
  return (
    <span title={formatTime(dueAt, i18n.language)}>
      <StatusBadge tone={toneOf(secondsLeft)}>{clockText(secondsLeft, t)}</StatusBadge>
    </span>
  );
}
