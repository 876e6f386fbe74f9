import { Textarea } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { REASON_MAX } from '#contract/fields.ts';
import { fieldError } from '#web/ui/field-parts.tsx';
import { showField } from './show-field.ts';
import { useCharacterFault } from './use-faults.ts';

/** An optional note of a decision, as it is typed. */
export function useNote() {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const characterFault = useCharacterFault();
  return {
    field,
    text,
    fault,
    write: (typed: string) => {
      setText(typed);
      setFault(null);
    },
    /** Whether the server would take it. If not, the field says why, and gets the focus. */
    check: (): boolean => {
      const found = characterFault(text);
      if (found === undefined) return true;
      setFault(found);
      showField(field.current);
      return false;
    },
  };
}

type NoteFieldProps = { label: ReactNode; note: ReturnType<typeof useNote>; isDisabled: boolean };

export function NoteField({ label, note, isDisabled }: NoteFieldProps) {
  return (
    <Textarea
      ref={note.field}
      mb="sm"
      label={label}
      value={note.text}
      maxLength={REASON_MAX}
      autosize
      minRows={1}
      maxRows={4}
      disabled={isDisabled}
      error={fieldError(note.fault)}
      onChange={(event) => note.write(event.currentTarget.value)}
    />
  );
}
