import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import styles from './side-sheet.module.css';
import { useSheetKey } from './use-sheet-key.ts';

/** A press within this time after a sheet opens was meant for the sheet before it. */
const SETTLE_MS = 600;

type DecideButtonProps = {
  isPending: boolean;
  isDisabled: boolean;
  /** Whether the decision moves no money, so that the button is not amber. */
  isPlain?: true;
  /** What A and Enter do, in the strip of keys; by default what the button says. */
  keyLabel?: string;
  onDecide: () => void;
  children: string;
};

/**
 * The button at the foot of a sheet that pays, books or decides. It takes no press that was meant for the sheet before,
 * and no second press of a double click. A gives it the focus, and Enter presses it.
 */
export function DecideButton(props: DecideButtonProps) {
  const { isPending, isDisabled, isPlain, onDecide, children, keyLabel = children } = props;
  const isSettled = useSettled();
  const isReady = isSettled && !isDisabled && !isPending;
  const button = useFocusKey(isReady, keyLabel);
  return (
    <Button
      ref={button}
      variant={isPlain ? 'filled' : 'money'}
      className={styles.decide}
      loading={isPending}
      disabled={!isSettled || isDisabled}
      // A key that is held since the palette gave the focus is no press of this button.
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      onClick={({ detail }) => {
        if (detail <= 1) onDecide();
      }}
    >
      {children}
    </Button>
  );
}

/**
 * Gives the button the focus at A. Before it is ready, A is kept until then; any other key but Enter, or a click,
 * forgets it, so that the focus never moves under somebody who went on to something else.
 */
function useFocusKey(isReady: boolean, label: string) {
  const button = useRef<HTMLButtonElement>(null);
  const [asked, setAsked] = useState<KeyboardEvent | null>(null);
  useSheetKey(
    { hotkey: 'A', act: setAsked },
    { label, caps: ['A', 'Enter'], isSequence: true, isOnStrip: true },
  );
  useEffect(() => {
    if (asked === null) return;
    if (isReady) {
      button.current?.focus();
      setAsked(null);
      return;
    }
    const forget = (event: Event) => {
      // The press of A itself may still be on its way to the document.
      if (event === asked || (event instanceof KeyboardEvent && event.key === 'Enter')) return;
      setAsked(null);
    };
    document.addEventListener('keydown', forget);
    document.addEventListener('pointerdown', forget);
    return () => {
      document.removeEventListener('keydown', forget);
      document.removeEventListener('pointerdown', forget);
    };
  }, [asked, isReady]);
  return button;
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
