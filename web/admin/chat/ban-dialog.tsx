import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BanDuration } from '#contract/chat-moderation.ts';
import { formatTime } from '#web/client/format.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './chat.module.css';

type BanDialogProps = {
  isOpen: boolean;
  name: string;
  duration: BanDuration;
  isPending: boolean;
  onSubmit: () => void;
  onClose: () => void;
};

const days: Record<BanDuration, number | null> = { '1day': 1, '7days': 7, permanent: null };
const DAY_MS = 86_400_000;

/** Asks before a ban, with its end and what stays open to the member. */
export function BanDialog({ isOpen, name, duration, isPending, onSubmit, onClose }: BanDialogProps) {
  const { t, i18n } = useTranslation();
  const lasts = days[duration];
  const until =
    lasts === null
      ? t('chatModeration.bans.confirm.untilLifted')
      : t('chatModeration.bans.confirm.until', {
          time: formatTime(new Date(Date.now() + lasts * DAY_MS).toISOString(), i18n.language),
        });
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      isLocked={isPending}
      title={t(`chatModeration.bans.confirm.title.${duration}`, { name })}
      width={460}
      text={<p>{`${until} ${t('chatModeration.bans.confirm.text', { name })}`}</p>}
    >
      <div className={styles.buttons}>
        <Button color="brick" loading={isPending} onClick={onSubmit}>
          {t('chatModeration.bans.confirm.submit')}
        </Button>
        <Button variant="subtle" disabled={isPending} onClick={onClose}>
          {t('common.cancel')}
        </Button>
      </div>
    </Dialog>
  );
}
