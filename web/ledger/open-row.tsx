import { IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense, useId, useState } from 'react';
import type { HistoryEntry } from '#contract/ledger.ts';
import { MovementLine } from './history-row.tsx';
import styles from './open-row.module.css';

const MovementDetail = lazy(() =>
  import('./movement-detail.tsx').then((file) => ({ default: file.MovementDetail })),
);

/** A movement whose row is a button that opens its details. */
export function OpenRow({ entry, isNew }: { entry: HistoryEntry; isNew: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const detailId = useId();
  return (
    <li className={styles.row} data-new={isNew || undefined}>
      <button
        type="button"
        className={styles.head}
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailId : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <MovementLine entry={entry} isPlain />
        <IconChevronDown size={16} stroke={2} className={styles.sign} aria-hidden="true" />
      </button>
      {isOpen && (
        <div id={detailId} className={styles.detail}>
          <Suspense>
            <MovementDetail entry={entry} />
          </Suspense>
        </div>
      )}
    </li>
  );
}
