import { Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Icon } from '@tabler/icons-react';
import { below, from } from '#web/ui/sizes.ts';
import styles from './operator-frame.module.css';

type OperatorItemProps = {
  icon: Icon;
  label: string;
  count?: string | undefined;
  /** The keys that do the same, shown beside the label. */
  shortcut?: string;
  /** A short form, which a narrow rail shows below the icon. */
  short?: string;
};

/**
 * An item of the rail. In a narrow rail the label is a tooltip, and still available to a screen reader. A label with a
 * short form may be cut in a wide rail too.
 */
export function OperatorItem({ icon: Sign, label, count, shortcut, short }: OperatorItemProps) {
  const isNarrow = useMediaQuery(`${from('tablet')} and ${below('wide')}`) ?? false;
  return (
    <Tooltip
      label={label}
      position="right"
      disabled={!isNarrow && short === undefined}
      events={{ hover: true, focus: true, touch: false }}
    >
      <span className={styles.item}>
        <Sign size={18} stroke={1.75} aria-hidden="true" />
        <span className={styles.label}>{label}</span>
        {short !== undefined && (
          <span className={`num ${styles.short}`} aria-hidden="true">
            {short}
          </span>
        )}
        {count !== undefined && <span className={`num ${styles.count}`}>{count}</span>}
        {shortcut !== undefined && (
          <span className={styles.shortcut} aria-hidden="true">
            {shortcut}
          </span>
        )}
      </span>
    </Tooltip>
  );
}
