import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeys } from '#web/admin/kit/keys.ts';
import styles from './plot-card.module.css';

/** A table that says the same as a plot. The first cell of a row is its heading. */
export type PlotTable = { heads: readonly string[]; rows: readonly (readonly string[])[] };

type PlotCardProps = {
  title: string;
  /** What the plot says: the figure, and a sentence. */
  figure: string;
  sentence: string;
  /** Shapes alone: the sentence is their text for a screen reader. */
  plot: ReactNode;
  /** Below the plot: the names and sums of its series. */
  legend?: ReactNode;
  table: PlotTable;
  children?: ReactNode;
};

/** A plot with a sentence that says the same, and a table behind a switch. */
export function PlotCard({ title, figure, sentence, plot, legend, table, children }: PlotCardProps) {
  const { t } = useTranslation();
  const id = useId();
  const [isTable, setTable] = useState(false);
  useKeys([{ hotkey: 'T', act: () => setTable(!isTable) }]);
  const views = [
    { label: t('overview.plots.plot'), isOf: false },
    { label: t('overview.plots.table'), isOf: true },
  ];
  return (
    <section className={`card ${styles.card}`} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls of a form. */}
        <span className={styles.switch} role="group" aria-label={t('overview.plots.showAs', { title })}>
          {views.map(({ label, isOf }) => (
            <button key={label} type="button" aria-pressed={isTable === isOf} onClick={() => setTable(isOf)}>
              {label}
            </button>
          ))}
        </span>
      </div>
      <p className={styles.said}>
        <b className="num">{figure}</b> <span>{sentence}</span>
      </p>
      {isTable ? (
        <Table title={title} table={table} />
      ) : (
        <div className={styles.plot}>
          <div role="img" aria-label={`${title}. ${figure}. ${sentence}`}>
            {plot}
          </div>
          {legend}
        </div>
      )}
      {children}
    </section>
  );
}

/** It scrolls, so that a card keeps its size; the keyboard reaches it for that. */
function Table({ title, table: { heads, rows } }: { title: string; table: PlotTable }) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={styles.scroll} tabIndex={0} aria-label={`${title}, ${t('overview.plots.table')}`}>
      <table className={`num ${styles.table}`}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...values]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns never move.
                <td key={index}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
