import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useKeys } from './keys.ts';

type RejectButtonProps = { label: string; isDisabled: boolean; onOpen: () => void };

/** The button of a sheet that opens the form of a rejection. R opens it too. */
export function RejectButton({ label, isDisabled, onOpen }: RejectButtonProps) {
  const { t } = useTranslation();
  useKeys([{ hotkey: 'R', act: () => !isDisabled && onOpen() }], {
    title: t('list.keys.sheet'),
    lines: [{ label, caps: ['R'], isOnStrip: true }],
  });
  return (
    <Button variant="default" disabled={isDisabled} onClick={onOpen}>
      {label}
    </Button>
  );
}
