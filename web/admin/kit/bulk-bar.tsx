import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './bulk-bar.module.css';
import type { ListScreen } from './list-screen.ts';
import type { BulkAct } from './use-bulk-act.ts';
import type { Selection } from './use-selection.ts';

type BulkBarProps<Row extends { id: string }> = {
  screen: ListScreen<Row>;
  selection: Selection<Row>;
  onAct: (act: BulkAct<Row>) => void;
};

/** The count and sum of the selected rows, and the acts on them. */
export function BulkBar<Row extends { id: string }>({ screen, selection, onAct }: BulkBarProps<Row>) {
  const { t } = useTranslation();
  const { selected } = selection;
  const count = selected.length;
  if (count === 0) return null;
  return (
    <section className={styles.bar} aria-label={t('list.selected', { count })}>
      <p className="num" role="status">
        {t('list.selected', { count })} <span>{screen.sumOf?.(selected)}</span>
      </p>
      <Button variant="subtle" size="sm" onClick={selection.clear}>
        {t('list.clearSelection')}
      </Button>
      {screen.bulkActs?.(selected).map((act) => (
        <Button
          key={act.key}
          size="sm"
          variant={act.isMain ? 'filled' : 'default'}
          disabled={act.isDisabled ?? false}
          onClick={() => onAct(act)}
        >
          {act.label}
        </Button>
      ))}
    </section>
  );
}
