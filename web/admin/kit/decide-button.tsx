import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import styles from './side-sheet.module.css';

/** A press within this time after a sheet opens was meant for the sheet before it. */
const SETTLE_MS = 600;

type DecideButtonProps = {
  isPending: boolean;
  isDisabled: boolean;
  /** Whether the decision moves no money, so that the button is not amber. */
  isPlain?: true;
  onDecide: () => void;
  children: ReactNode;
};

/**
 * The button at the foot of a sheet that pays, books or decides. It takes no press that was meant for the sheet before,
 * and no second press of a double click.
 */
export function DecideButton({ isPending, isDisabled, isPlain, onDecide, children }: DecideButtonProps) {
  const isSettled = useSettled();
  return (
    <Button
      variant={isPlain ? 'filled' : 'money'}
      className={styles.decide}
      loading={isPending}
      disabled={!isSettled || isDisabled}
      onClick={({ detail }) => {
        if (detail <= 1) onDecide();
      }}
    >
      {children}
    </Button>
  );
}

/** Whether a sheet has been open long enough for a press to be meant for it. */
function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}
