import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toast } from './toast.tsx';
import { useCopied } from './use-copied.ts';

/** Copies a text. Its icon confirms that for two seconds. */
export function CopyButton({ text, label, size = 28 }: { text: string; label: string; size?: number }) {
  const { t } = useTranslation();
  // The text can still be copied by hand.
  const [isCopied, copy] = useCopied(() => toast.bad(t('common.copyFailed')));
  return (
    <ActionIcon
      size={size}
      onClick={() => void copy(text)}
      aria-label={isCopied ? t('common.copied') : label}
    >
      {isCopied ? <IconCheck size={16} stroke={2} /> : <IconCopy size={16} stroke={2} />}
    </ActionIcon>
  );
}
