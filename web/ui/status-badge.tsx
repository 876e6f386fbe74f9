import { type Icon, IconAlertTriangle, IconCheck, IconClock, IconHandStop, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './status-badge.module.css';

const icons = {
  wait: IconClock,
  ok: IconCheck,
  bad: IconX,
  warn: IconAlertTriangle,
  blocked: IconHandStop,
  plain: IconCheck,
};

export type BadgeTone = keyof typeof icons;

type StatusBadgeProps = { tone: BadgeTone; icon?: Icon; children: ReactNode };

/** The badge of a state: a background, an icon and a word, so that colour is never the only sign. */
export function StatusBadge({ tone, icon, children }: StatusBadgeProps) {
  const Sign = icon ?? icons[tone];
  return (
    <span className={styles.badge} data-tone={tone}>
      <Sign size={14} stroke={2.25} aria-hidden="true" />
      {children}
    </span>
  );
}
