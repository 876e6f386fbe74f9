import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import styles from './toast.module.css';

const SHOWN_MS = 5_000;

/** Short messages, one at a time, for five seconds. Not for an error that needs a decision. */
export const toast = {
  ok(message: string, title?: string) {
    show(<IconCircleCheck size={20} stroke={1.75} className={styles.ok} />, message, title);
  },
  bad(message: string, title?: string) {
    show(<IconAlertTriangle size={20} stroke={1.75} className={styles.bad} />, message, title, 'alert');
  },
  /** A neutral message. */
  plain(message: string, title?: string) {
    show(<IconInfoCircle size={20} stroke={1.75} className={styles.plain} />, message, title);
  },
  /** A done act that can be taken back for this time. */
  undoable(message: string, undo: { label: string; act: () => void; forMs: number }) {
    const button = (
      <Button data-undo="message" variant="default" size="xs" mt="xs" onClick={undo.act}>
        {undo.label}
      </Button>
    );
    const text = (
      <>
        {message}
        <br />
        {button}
      </>
    );
    show(
      <IconCircleCheck size={20} stroke={1.75} className={styles.ok} />,
      text,
      undefined,
      'status',
      undo.forMs,
    );
  },
  /** Removes the current message, because it is no longer true. */
  clear() {
    notifications.clean();
  },
};

function show(
  icon: ReactNode,
  message: ReactNode,
  title?: string,
  role: 'status' | 'alert' = 'status',
  forMs = SHOWN_MS,
) {
  // A new message replaces the current one, which it answers or outdates.
  toast.clear();
  notifications.show({
    icon,
    message,
    ...(title === undefined ? {} : { title }),
    role,
    autoClose: forMs,
    closeButtonProps: { 'aria-label': i18next.t('common.close') },
  });
}
