import styles from './list-cards.module.css';
import type { ListView } from './list-table.tsx';
import { RowSelect } from './row-check.tsx';
import { rowButtonId } from './use-list-keys.ts';

/** The table as cards, on a phone. */
export function ListCards<Row extends { id: string }>({ screen, selection }: ListView<Row>) {
  const { state, lead } = screen;
  const isSelectable = screen.bulkActs !== undefined;
  return (
    <ul
      className={styles.list}
      data-plain={!isSelectable || undefined}
      data-pictures={lead.picture !== undefined || undefined}
    >
      {state.rows.map((row) => {
        const { figure, note, isNoteWhole, time, badge, sentence } = screen.card(row);
        return (
          <li
            key={row.id}
            data-selected={selection.has(row) || undefined}
            aria-current={row.id === state.openId || undefined}
          >
            {isSelectable && (
              <RowSelect
                className={styles.box}
                row={row}
                name={lead.title(row)}
                selection={selection}
                size="sm"
              />
            )}
            {lead.picture?.(row)}
            <button
              type="button"
              id={rowButtonId(row.id)}
              className={styles.row}
              onClick={() => state.open(row.id)}
            >
              <span className={styles.name}>{lead.title(row)}</span>
              <span className={styles.figure}>{figure}</span>
              {note !== undefined && <span className={styles.sub}>{note}</span>}
              {time !== undefined && <span className={`num ${styles.age}`}>{time}</span>}
              {!isNoteWhole && <span className={styles.email}>{lead.note(row)}</span>}
              {badge !== undefined && <span className={styles.badge}>{badge}</span>}
              {sentence !== undefined && <span className={styles.sentence}>{sentence}</span>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
