import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './field-parts.module.css';

/** A field's label, with an optional help text at the end of its line. */
export function FieldLabel({ text, help }: { text: string; help?: ReactNode }) {
  return (
    <span className={styles.label}>
      <span>{text}</span>
      {help !== undefined && <span className={styles.help}>{help}</span>}
    </span>
  );
}

/** A field's error: an icon and a message. An empty message returns null, so that the field counts as valid. */
export function fieldError(message: ReactNode): ReactNode {
  if (!message) return null;
  return (
    <span className={styles.error}>
      <IconAlertTriangle size={16} stroke={2} aria-hidden="true" />
      <span>{message}</span>
    </span>
  );
}
