import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPoints } from '#web/client/format.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './bulk-bar.module.css';
import type { ListScreen } from './list-screen.ts';
import type { BulkAct } from './use-bulk-act.ts';
import type { Selection } from './use-selection.ts';

type BulkBarProps<Row extends { id: string }> = {
  screen: ListScreen<Row>;
  selection: Selection<Row>;
  onAct: (act: BulkAct<Row>) => void;
};

/** The count and sum of the selected rows, the rest of the view, and the acts on what is selected. */
export function BulkBar<Row extends { id: string }>({ screen, selection, onAct }: BulkBarProps<Row>) {
  const { t } = useTranslation();
  const { selected, offer } = selection;
  const bar = useRef<HTMLElement>(null);
  const [begunKey, setBegunKey] = useState<string | null>(null);
  const count = selected.length;
  const begin = async (key: string) => {
    setBegunKey(key);
    const rows = await selection.renew();
    setBegunKey(null);
    if (rows === undefined) return;
    const act = rows.length === 0 ? undefined : screen.bulkActs?.(rows).find((one) => one.key === key);
    if (act === undefined) toast.plain(t('list.bulk.resultNone'));
    else onAct(act);
  };
  if (count === 0) return null;
  return (
    <section ref={bar} className={styles.bar} aria-label={t('list.selected', { count })} tabIndex={-1}>
      <div role="status" className={styles.state}>
        <p className="num">
          {t('list.selected', { count })} <span>{screen.sumOf?.(selected)}</span>
        </p>
        <Beyond selection={selection} />
      </div>
      {offer !== undefined && (
        <Button
          variant="subtle"
          size="sm"
          className={styles.offer}
          loading={selection.isReading && begunKey === null}
          onClick={async () => {
            await selection.selectView();
            // The button is gone, and with it the focus.
            bar.current?.focus();
          }}
        >
          <OfferText {...offer} />
        </Button>
      )}
      <Button variant="subtle" size="sm" className={styles.clear} onClick={selection.clear}>
        {t('list.clearSelection')}
      </Button>
      {screen.bulkActs?.(selected).map((act) => (
        <Button
          key={act.key}
          size="sm"
          variant={act.isMain ? 'filled' : 'default'}
          className={styles.act}
          disabled={act.isDisabled ?? false}
          loading={begunKey === act.key}
          onClick={() => void begin(act.key)}
        >
          {act.label}
        </Button>
      ))}
    </section>
  );
}

function OfferText({ count, totalCount }: { count: number; totalCount: number }) {
  const { t } = useTranslation();
  const texts = { shown: formatPoints(count), all: formatPoints(totalCount) };
  return t(count < totalCount ? 'list.selectFirst' : 'list.selectView', texts);
}

/** What of the selected view is not selected. */
function Beyond<Row extends { id: string }>({ selection: { beyond } }: { selection: Selection<Row> }) {
  const { t } = useTranslation();
  if (beyond === null) return null;
  const { count, totalCount, leftOutCount } = beyond;
  const texts = [
    ...(totalCount > count
      ? [t('list.viewBehind', { shown: formatPoints(count), all: formatPoints(totalCount) })]
      : []),
    ...(leftOutCount > 0 ? [t('list.viewLeftOut', { count: leftOutCount })] : []),
  ];
  return texts.length === 0 ? null : <p className={styles.note}>{texts.join(' ')}</p>;
}
