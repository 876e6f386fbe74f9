import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import i18next from 'i18next';
import styles from './toast.module.css';

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
  /** Removes the current message, because it is no longer true. */
  clear() {
    notifications.clean();
  },
};

function show(icon: React.ReactNode, message: string, title?: string, role: 'status' | 'alert' = 'status') {
  // A new message replaces the current one, which it answers or outdates.
  toast.clear();
  notifications.show({
    icon,
    message,
    ...(title === undefined ? {} : { title }),
    role,
    autoClose: 5_000,
    closeButtonProps: { 'aria-label': i18next.t('common.close') },
  });
}
