import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import { formatAge, formatAmount, formatDollars, formatTime } from '#web/client/format.ts';
import { RailIcon } from '#web/ui/rail-icon.tsx';
import { useRailWords } from '#web/ui/rails.ts';
import type { QueueSort } from './queue-search.ts';
import styles from './queue-table.module.css';
import { RequestBadge } from './request-badge.tsx';
import type { Selection } from './use-queue.ts';

export type QueueView = {
  rows: OperatorWithdrawal[];
  openId: string | null;
  selection: Selection;
  onOpen: (id: string) => void;
};

const sortOf = (sort: QueueSort, up: QueueSort, down: QueueSort) =>
  sort === up ? 'ascending' : sort === down ? 'descending' : undefined;

export function QueueTable({ rows, openId, selection, onOpen, sort }: QueueView & { sort: QueueSort }) {
  const { t } = useTranslation();
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>
            {selection.canChoose ? (
              <Checkbox
                size="xs"
                checked={selection.isAll}
                indeterminate={selection.chosen.length > 0 && !selection.isAll}
                onChange={selection.toggleAll}
                aria-label={t('queue.selectPage')}
              />
            ) : (
              <span className="visually-hidden">{t('queue.columns.select')}</span>
            )}
          </th>
          <th>{t('queue.columns.member')}</th>
          <th>{t('queue.columns.method')}</th>
          <th className={styles.figure} aria-sort={sortOf(sort, 'smallest', 'largest')}>
            {t('queue.columns.amount')}
          </th>
          <th className={`${styles.figure} ${styles.wide}`}>{t('queue.columns.dollars')}</th>
          <th>{t('queue.columns.state')}</th>
          <th className={styles.figure} aria-sort={sortOf(sort, 'oldest', 'newest')}>
            {t('queue.columns.requested')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} isOpen={row.id === openId} selection={selection} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = {
  row: OperatorWithdrawal;
  isOpen: boolean;
  selection: Selection;
  onOpen: (id: string) => void;
};

/** The whole row opens the request with a mouse; with a keyboard, the member's name does. */
function Row({ row, isOpen, selection, onOpen }: RowProps) {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  return (
    <tr
      className={styles.row}
      data-selected={selection.has(row.id) || undefined}
      aria-current={isOpen || undefined}
      onClick={() => onOpen(row.id)}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a click on the box from opening the row. */}
      <td onClick={(event) => event.stopPropagation()}>
        {row.status === 'pending' && (
          <Checkbox
            size="xs"
            checked={selection.has(row.id)}
            onChange={() => selection.toggle(row.id)}
            aria-label={t('queue.selectRow', { name: row.userName })}
          />
        )}
      </td>
      <td>
        <button type="button" id={`row-${row.id}`} className={styles.name}>
          {row.userName}
        </button>
        <p className={styles.email}>{row.userEmail}</p>
      </td>
      <td>
        <span className={styles.method}>
          <RailIcon method={row.method} size={16} stroke={2} />
          {nameOf(row.method)}
        </span>
      </td>
      <td className={`num ${styles.figure} ${styles.amount}`}>{formatAmount(row.amount)}</td>
      <td className={`num ${styles.figure} ${styles.wide} ${styles.dollars}`}>{formatDollars(row.amount)}</td>
      <td>
        <RequestBadge row={row} />
      </td>
      <td className={`num ${styles.figure} ${styles.age}`} title={formatTime(row.createdAt, i18n.language)}>
        {formatAge(row.createdAt, i18n.language)}
      </td>
    </tr>
  );
}
