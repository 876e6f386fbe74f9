import { useTranslation } from 'react-i18next';
import type { BanDuration } from '#contract/chat-moderation.ts';
import { ConfirmDialog } from '#web/admin/kit/confirm-dialog.tsx';
import { formatTime } from '#web/client/format.ts';

type Ban = { name: string; duration: BanDuration };
type BanDialogProps = { ban: Ban | null; isPending: boolean; onSubmit: () => void; onClose: () => void };

const days: Record<BanDuration, number | null> = { '1day': 1, '7days': 7, permanent: null };
const DAY_MS = 86_400_000;

/** Asks before a ban, with its end and what stays open to the member. Without a ban the dialog is closed. */
export function BanDialog({ ban, ...rest }: BanDialogProps) {
  const { t, i18n } = useTranslation();
  const untilOf = (duration: BanDuration) => {
    const lasts = days[duration];
    if (lasts === null) return t('chatModeration.bans.confirm.untilLifted');
    const end = new Date(Date.now() + lasts * DAY_MS).toISOString();
    return t('chatModeration.bans.confirm.until', { time: formatTime(end, i18n.language) });
  };
  return (
    <ConfirmDialog
      {...rest}
      of={ban}
      words={({ name, duration }) => ({
        title: t(`chatModeration.bans.confirm.title.${duration}`, { name }),
        text: `${untilOf(duration)} ${t('chatModeration.bans.confirm.text', { name })}`,
        submit: t('chatModeration.bans.confirm.submit'),
      })}
      tone="danger"
    />
  );
}
