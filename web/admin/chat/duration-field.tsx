import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BanDuration } from '#contract/chat-moderation.ts';

// Constants of the contract stay in the server's part with the schemas.
const durations = ['1day', '7days', 'permanent'] as const satisfies readonly BanDuration[];

type DurationFieldProps = { value: BanDuration; onChange: (value: BanDuration) => void };

export function DurationField({ value, onChange }: DurationFieldProps) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      label={t('chatModeration.bans.duration')}
      value={value}
      data={durations.map((one) => ({ value: one, label: t(`chatModeration.durations.${one}`) }))}
      onChange={(event) =>
        onChange(durations.find((one) => one === event.currentTarget.value) ?? durations[0])
      }
    />
  );
}
