import { Button } from '@mantine/core';
import { useSheetKey } from './use-sheet-key.ts';

type RejectButtonProps = { label: string; isDisabled: boolean; onOpen: () => void };

/** The button of a sheet that opens the form of a rejection. R opens it too. */
export function RejectButton({ label, isDisabled, onOpen }: RejectButtonProps) {
  useSheetKey({ hotkey: 'R', act: onOpen }, { label, caps: ['R'], isOnStrip: true }, isDisabled);
  return (
    <Button variant="default" disabled={isDisabled} onClick={onOpen}>
      {label}
    </Button>
  );
}
