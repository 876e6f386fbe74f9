import { Button, SegmentedControl } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeSite, readSite, type SiteSettings, slowModeChoices } from '#contract/site.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './chat.module.css';
import { KeptDaysDialog } from './kept-days-dialog.tsx';

type ChatSettings = SiteSettings['chat'];

const linkChoices = ['allowed', 'refused'] as const;

/** What holds for the whole chat, changed at once. */
export function ChatSwitches() {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const site = useRead(readSite);
  const changing = useAct(changeSite);
  const [isAsking, setAsking] = useState(false);
  const chat = site.data?.chat;
  const ask = () => {
    changing.reset();
    setAsking(true);
  };
  const change = (part: Partial<ChatSettings>) =>
    changing.mutate(
      { body: { chat: part } },
      {
        onSuccess: (saved) => {
          const isWaiting = Object.entries(part).some(
            ([name, value]) => saved.chat[name as keyof ChatSettings] !== value,
          );
          if (isWaiting) toast.plain(t('chatModeration.settings.waits'));
          else toast.ok(t('chatModeration.settings.saved'));
          setAsking(false);
        },
        onError: ({ code }) => toast.bad(refusalWords(code), t('chatModeration.settings.failed')),
      },
    );
  const asked = changing.isPending ? changing.variables?.body?.chat : undefined;
  const shown = chat && { ...chat, ...asked };
  return (
    <div className={styles.switches}>
      <Switch
        label={t('chatModeration.settings.slowMode')}
        isRead={shown !== undefined}
        value={String(shown?.slowModeSeconds ?? 0)}
        options={slowModeChoices.map((seconds) => ({
          value: String(seconds),
          label:
            seconds === 0
              ? t('chatModeration.settings.off')
              : t('chatModeration.settings.seconds', { count: seconds }),
        }))}
        onChange={(value) => change({ slowModeSeconds: Number(value) as ChatSettings['slowModeSeconds'] })}
      />
      <Switch
        label={t('chatModeration.settings.links')}
        isRead={shown !== undefined}
        value={shown?.linksNeedEarnings ? 'refused' : 'allowed'}
        options={linkChoices.map((value) => ({ value, label: t(`chatModeration.settings.${value}`) }))}
        onChange={(value) => change({ linksNeedEarnings: value === 'refused' })}
      />
      <div className={styles.switch}>
        <b>{t('chatModeration.settings.kept')}</b>
        <Button variant="default" size="sm" disabled={chat === undefined} onClick={ask}>
          {chat === undefined ? '–' : t('chatModeration.settings.days', { count: chat.keptDays })}
        </Button>
      </div>
      {chat !== undefined && (
        <KeptDaysDialog
          isOpen={isAsking}
          days={chat.keptDays}
          isPending={changing.isPending}
          failure={changing.error === null ? null : refusalWords(changing.error.code)}
          onSubmit={(keptDays) => change({ keptDays })}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

type SwitchProps = {
  label: string;
  isRead: boolean;
  value: string;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
};

function Switch({ label, isRead, value, options, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles.switch}>
      <b id={id}>{label}</b>
      <SegmentedControl
        aria-labelledby={id}
        disabled={!isRead}
        value={value}
        classNames={{ label: styles.segment ?? '' }}
        data={options}
        onChange={onChange}
        withItemsBorders={false}
      />
    </div>
  );
}
