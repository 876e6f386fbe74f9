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
};

/** An item of the rail. In a narrow rail the label is a tooltip, and still available to a screen reader. */
export function OperatorItem({ icon: Sign, label, count, shortcut }: OperatorItemProps) {
  const isNarrow = useMediaQuery(`${from('tablet')} and ${below('wide')}`) ?? false;
  return (
    <Tooltip
      label={label}
      position="right"
      disabled={!isNarrow}
      events={{ hover: true, focus: true, touch: false }}
    >
      <span className={styles.item}>
        <Sign size={18} stroke={1.75} aria-hidden="true" />
        <span className={styles.label}>{label}</span>
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
