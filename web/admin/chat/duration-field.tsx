import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type BanDuration, banDurations } from '#contract/chat-moderation.ts';

type DurationFieldProps = { value: BanDuration; onChange: (value: BanDuration) => void };

export function DurationField({ value, onChange }: DurationFieldProps) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      label={t('chatModeration.bans.duration')}
      value={value}
      data={banDurations.map((one) => ({ value: one, label: t(`chatModeration.durations.${one}`) }))}
      onChange={(event) =>
        onChange(banDurations.find((one) => one === event.currentTarget.value) ?? banDurations[0])
      }
    />
  );
}
