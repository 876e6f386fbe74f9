import { Button, type ButtonProps } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toast } from '#web/ui/toast.tsx';
import { useCopied } from '#web/ui/use-copied.ts';
import styles from './copy-text-button.module.css';

type CopyTextButtonProps = Pick<ButtonProps, 'variant' | 'className'> & {
  text: string;
  what: 'code' | 'link';
};

/** Copies the code or the link. Confirms it for two seconds; also reports a failure. */
export function CopyTextButton({ text, what, ...looks }: CopyTextButtonProps) {
  const { t } = useTranslation();
  const [isCopied, copy] = useCopied(() =>
    toast.bad(t(`referrals.copyFailed.${what}`), t('referrals.copyFailed.title')),
  );
  return (
    <Button {...looks} onClick={() => void copy(text)}>
      {/* Both texts keep their room, so that the button does not change its width. */}
      <span className={styles.faces}>
        <span data-hidden={isCopied || undefined}>
          <IconCopy size={20} stroke={1.75} aria-hidden="true" />
          {t(`referrals.copy.${what}`)}
        </span>
        <span data-hidden={!isCopied || undefined}>
          <IconCheck size={20} stroke={1.75} aria-hidden="true" />
          {t('common.copied')}
        </span>
      </span>
      <span className="visually-hidden" role="status">
        {isCopied && t('common.copied')}
      </span>
    </Button>
  );
}
