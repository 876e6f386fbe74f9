import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatAge, formatDollars } from '#web/client/format.ts';
import { Amount } from '#web/ui/amount.tsx';
import { RailIcon } from '#web/ui/rail-icon.tsx';
import { useRailWords } from '#web/ui/rails.ts';
import styles from './queue-list.module.css';
import type { QueueView } from './queue-table.tsx';
import { RequestBadge } from './request-badge.tsx';

/** The table as a list, for a phone. */
export function QueueList({ rows, openId, selection, onOpen }: QueueView) {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  return (
    <ul className={styles.list}>
      {rows.map((row) => (
        <li
          key={row.id}
          data-selected={selection.has(row.id) || undefined}
          aria-current={row.id === openId || undefined}
        >
          <span className={styles.box}>
            {row.status === 'pending' && (
              <Checkbox
                size="sm"
                checked={selection.has(row.id)}
                onChange={() => selection.toggle(row.id)}
                aria-label={t('queue.selectRow', { name: row.userName })}
              />
            )}
          </span>
          <button type="button" id={`row-${row.id}`} className={styles.row} onClick={() => onOpen(row.id)}>
            <span className={styles.name}>{row.userName}</span>
            <Amount points={row.amount} />
            <span className={styles.sub}>
              <RailIcon method={row.method} size={14} stroke={2} />
              {nameOf(row.method)}, {formatDollars(row.amount)}
            </span>
            <span className={`num ${styles.age}`}>{formatAge(row.createdAt, i18n.language)}</span>
            <span className={styles.email}>{row.userEmail}</span>
            {row.status !== 'pending' && (
              <span className={styles.badge}>
                <RequestBadge row={row} />
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}
