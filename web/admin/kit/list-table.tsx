import { IconGripVertical } from '@tabler/icons-react';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import type { Column, ListScreen } from './list-screen.ts';
import styles from './list-table.module.css';
import { RowCheck, RowSelect } from './row-check.tsx';
import { rowButtonId } from './use-list-keys.ts';
import type { OperatorListState } from './use-operator-list.ts';
import { type RowDrag, useRowDrag } from './use-row-drag.ts';
import type { Selection } from './use-selection.ts';

export type ListView<Row extends { id: string }> = { screen: ListScreen<Row>; selection: Selection<Row> };

type ListTableProps<Row extends { id: string }> = ListView<Row> & { columns: readonly Column<Row>[] };

export function ListTable<Row extends { id: string }>({ screen, selection, columns }: ListTableProps<Row>) {
  const { t } = useTranslation();
  const { state, words, lead } = screen;
  const drag = useRowDrag(screen.order);
  const isPlain = screen.bulkActs === undefined && !('order' in screen);
  return (
    <table className={styles.table} data-plain={isPlain || undefined}>
      <thead>
        <tr>
          <th>
            {selection.canSelectAny ? (
              <RowCheck
                size="xs"
                checked={selection.isAll}
                indeterminate={selection.selected.length > 0 && !selection.isAll}
                onChange={selection.toggleAll}
                aria-label={words.selectPage}
              />
            ) : (
              <span className="visually-hidden">{t('list.select')}</span>
            )}
          </th>
          <th className={styles.lead}>{lead.heading}</th>
          {columns.map((column) => (
            <Heading key={column.key} column={column} state={state} onSort={(sort) => state.show({ sort })} />
          ))}
        </tr>
      </thead>
      <tbody>
        {state.rows.map((row) => (
          <TableRow
            key={row.id}
            row={row}
            columns={columns}
            screen={screen}
            selection={selection}
            drag={drag}
          />
        ))}
      </tbody>
    </table>
  );
}

type HeadingProps<Row extends { id: string }> = {
  column: Column<Row>;
  state: OperatorListState<Row>;
  onSort: (sort: string) => void;
};

/** The heading of a column. If the column can be sorted, it is a button that toggles the order. */
function Heading<Row extends { id: string }>({
  column: { heading, sort, isFigure },
  state,
  onSort,
}: HeadingProps<Row>) {
  const className = clsx(isFigure && styles.figure);
  if (sort === undefined) return <th className={className}>{heading}</th>;
  const order = state.sort === sort ? 'ascending' : state.sort === `-${sort}` ? 'descending' : undefined;
  return (
    <th className={className} aria-sort={order}>
      <button type="button" onClick={() => onSort(order === 'descending' ? sort : `-${sort}`)}>
        {heading}
      </button>
    </th>
  );
}

type TableRowProps<Row extends { id: string }> = ListTableProps<Row> & { row: Row; drag: RowDrag<Row> };

/** A click anywhere on the row opens it. The keyboard opens it with the button in the title. */
function TableRow<Row extends { id: string }>({ row, columns, screen, selection, drag }: TableRowProps<Row>) {
  const { state, lead, order } = screen;
  return (
    <tr
      className={styles.row}
      data-selected={selection.has(row) || undefined}
      aria-current={row.id === state.openId || undefined}
      onClick={() => state.open(row.id)}
      {...drag.rowProps(row)}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a click on the box from opening the row. */}
      <td onClick={(event) => event.stopPropagation()}>
        <RowSelect row={row} name={lead.title(row)} selection={selection} size="xs" />
        {order !== undefined && (
          <span className={styles.grip} title={order.grip} aria-hidden="true" {...drag.gripProps(row)}>
            <IconGripVertical size={18} stroke={1.75} />
          </span>
        )}
      </td>
      <td className={styles.lead}>
        <div className={styles.leading}>
          {lead.picture?.(row)}
          <div>
            <button type="button" id={rowButtonId(row.id)} className={styles.name} title={lead.title(row)}>
              {lead.title(row)}
            </button>
            <p className={styles.note} title={lead.note(row)}>
              {lead.note(row)}
            </p>
          </div>
        </div>
      </td>
      {columns.map(({ key, cell, isFigure }) => (
        <td key={key} className={clsx(isFigure && `num ${styles.figure}`)}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}
