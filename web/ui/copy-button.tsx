import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from './toast.tsx';

const SHOWN_MS = 2_000;

/** Copies a text; the sign says for two seconds that it was done. */
export function CopyButton({ text, label, size = 28 }: { text: string; label: string; size?: number }) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    } catch {
      // The browser said no, or the page has no secure address: the person can still copy by hand.
      toast.bad(t('common.copyFailed'));
    }
  };
  return (
    <ActionIcon size={size} onClick={() => void copy()} aria-label={isCopied ? t('common.copied') : label}>
      {isCopied ? <IconCheck size={16} stroke={2} /> : <IconCopy size={16} stroke={2} />}
    </ActionIcon>
  );
}
