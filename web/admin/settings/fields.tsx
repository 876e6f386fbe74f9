import { TextInput } from '@mantine/core';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './settings.module.css';

/** The text that stands for a stored secret. Sending it back keeps the secret. */
export const MASKED = '***encrypted***';

type FieldProps = {
  label: string;
  help?: string;
  value: string;
  /** The server's message, which is English, or the screen's own. */
  error?: string | undefined;
  className?: string | undefined;
  onChange: (value: string) => void;
};

/** A text of the settings in the form in which it is copied. */
export function CodeField({ label, help, value, error, className, onChange }: FieldProps) {
  return (
    <TextInput
      className={[styles.mono, className].filter(Boolean).join(' ')}
      label={<FieldLabel text={label} help={help} />}
      value={value}
      maxLength={4_000}
      autoComplete="off"
      spellCheck={false}
      error={fieldError(error)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A secret. A stored one shows as the mask, which the first typed character replaces. */
export function SecretField({ label, help, value, error, className, onChange }: FieldProps) {
  const isMasked = value === MASKED;
  return (
    <TextInput
      className={[styles.mono, className].filter(Boolean).join(' ')}
      type={isMasked ? 'text' : 'password'}
      label={<FieldLabel text={label} help={help} />}
      value={value}
      maxLength={4_000}
      autoComplete="new-password"
      spellCheck={false}
      error={fieldError(error)}
      onFocus={(event) => isMasked && event.currentTarget.select()}
      onChange={({ currentTarget: { value: typed } }) =>
        onChange(isMasked && typed.startsWith(MASKED) ? typed.slice(MASKED.length) : typed)
      }
    />
  );
}

/** A whole number. */
export function NumberField({ label, help, value, error, className, onChange }: FieldProps) {
  return (
    <TextInput
      className={className ?? ''}
      inputMode="numeric"
      label={<FieldLabel text={label} help={help} />}
      value={value}
      maxLength={16}
      autoComplete="off"
      error={fieldError(error)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The number of a typed text such as `1,000`; undefined if it is no whole number. */
export function wholeOf(text: string): number | undefined {
  const digits = text.replaceAll(/[,\s]/g, '');
  return /^\d{1,12}$/.test(digits) ? Number(digits) : undefined;
}
