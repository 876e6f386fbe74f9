import { Input, type InputProps } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { caretPlace, countBehind, readAmount, showAmount } from './amount.ts';

type AmountInputProps = InputProps &
  Omit<React.ComponentProps<'input'>, keyof InputProps | 'value' | 'onChange'> & {
    value: string;
    onChange: (amount: string) => void;
  };

/** A field of a whole number in groups. A text that is none stays in it, so that it can be refused. */
export function AmountInput({ value, onChange, ...input }: AmountInputProps) {
  const field = useRef<HTMLInputElement>(null);
  const behind = useRef<number | null>(null);
  const shown = showAmount(value);
  // A value that is set moves the caret to its end.
  useLayoutEffect(() => {
    if (behind.current === null) return;
    const place = caretPlace(shown, behind.current);
    field.current?.setSelectionRange(place, place);
    behind.current = null;
  });
  return (
    <Input
      {...input}
      ref={field}
      value={shown}
      onChange={({ currentTarget }) => {
        behind.current = countBehind(currentTarget.value, currentTarget.selectionStart);
        onChange(readAmount(currentTarget.value));
      }}
    />
  );
}
