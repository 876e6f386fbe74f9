import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LISTED_MAX } from '#contract/earning-catalogue.ts';
import {
  type CatalogueEntry,
  categoriesOf,
  entryCategories,
  entryKinds,
  readEntries,
} from '#contract/earning-catalogue-entries.ts';
import type { Column, ListScreen, Total } from '#web/admin/kit/list-screen.ts';
import { totalOf } from '#web/admin/kit/list-totals.tsx';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import {
  type ListPage,
  type OperatorListState,
  ROWS_PER_PAGE,
  useFirstRow,
  useOperatorList,
} from '#web/admin/kit/use-operator-list.ts';
import { formatAge, formatAmount, formatPoints } from '#web/client/format.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { Artwork } from '#web/ui/artwork.tsx';
import { useMinutes } from '#web/ui/listing-row.tsx';
import { AddDialog } from './add-dialog.tsx';
import styles from './catalogue.module.css';
import { EntrySheet } from './entry-sheet.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { StateBadge } from './state-badge.tsx';
import { useCatalogueViews } from './use-catalogue-views.ts';
import { useOrder } from './use-order.ts';

/** The tasks and surveys that members find in the catalogue: their texts, rewards, steps, pictures and order. */

const POLL_MS = 30_000;
const defaultFilters = { kind: 'task' };

export function CataloguePage() {
  const { t, i18n } = useTranslation();
  const minutes = useMinutes();
  const [isAdding, setAdding] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const { data: site } = useSiteConfig();
  const providers = (site?.providers ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const nameOf = (id: string) => providers.find(({ value }) => value === id)?.label ?? id;
  const state = useOperatorList<CatalogueEntry>(readEntries, { pollMs: POLL_MS, defaultFilters });
  const kind = entryKinds.find((one) => one === state.filters.kind);
  const { move, order, said } = useOrder(isInOrder(state));
  const listWords = useListWords(readEntries, 'catalogueEntries', { provider: providers });
  const categories: readonly string[] = kind === undefined ? entryCategories : categoriesOf[kind];
  const placeOf =
    order !== undefined
      ? (row: CatalogueEntry) =>
          (state.page - 1) * ROWS_PER_PAGE + state.rows.findIndex(({ id }) => id === row.id) + 1
      : undefined;
  const screen: ListScreen<CatalogueEntry> = {
    state,
    ...listWords,
    filters: listWords.filters
      .filter(({ label }) => label !== t('catalogueEntries.filters.kind'))
      .map((chip) =>
        chip.kind === 'choice' && chip.name === 'category'
          ? { ...chip, options: chip.options?.filter(({ value }) => categories.includes(value)) }
          : chip,
      ),
    totals: useTotals(kind),
    foundTotals: { followed: ['kind'] },
    views: useCatalogueViews(kind ?? 'all'),
    lead: {
      heading: t('catalogueEntries.columns.entry'),
      title: (row) => (i18n.language === 'ko' ? row.titleKo : null) ?? row.title,
      note: ({ provider, category }) => `${nameOf(provider)} · ${t(`listing.categories.${category}`)}`,
      picture: ({ id, imageUrl }) => <Artwork id={id} imageUrl={imageUrl} className={styles.small} />,
    },
    columns: useColumns(placeOf),
    card: (row) => ({
      figure: <b className="num">{formatAmount(row.reward)}</b>,
      note: [
        nameOf(row.provider),
        minutes(row.minutes),
        ...(row.steps.length > 0 ? [t('listing.steps', { count: row.steps.length })] : []),
      ].join(' · '),
      isNoteWhole: true,
      ...(placeOf !== undefined && { time: t('catalogueEntries.place', { place: placeOf(row) }) }),
      // That members see it is the rule.
      ...(row.state !== 'shown' && { badge: <StateBadge state={row.state} /> }),
    }),
    isWaiting: () => false,
    otherActs: [{ key: 'import', label: t('catalogueEntries.import.begin'), act: () => setImporting(true) }],
    begin: { label: t('catalogueEntries.begin'), act: () => setAdding(true) },
    order,
    sheetWidth: 'wide',
    sheet: (row, position) => <EntrySheet key={row.id} row={row} onMove={move} onClose={position.close} />,
  };
  return (
    <>
      <OperatorList screen={screen} />
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <ImportDialog isOpen={isImporting} onClose={() => setImporting(false)} />
      <AddDialog kind={kind ?? 'task'} isOpen={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}

/** Whether the list shows one kind as members see it, and all of it. */
const isInOrder = ({ filters, q, sort }: OperatorListState<CatalogueEntry>): boolean =>
  filters.kind !== undefined &&
  Object.keys(filters).length === 1 &&
  q === '' &&
  sort === readEntries.list.defaultSort;

function useColumns(
  placeOf: ((row: CatalogueEntry) => number) | undefined,
): Column<CatalogueEntry, SortOf<typeof readEntries>>[] {
  const { t, i18n } = useTranslation();
  const minutes = useMinutes();
  return [
    {
      key: 'place',
      heading: t('catalogueEntries.columns.place'),
      cell: (row) => placeOf?.(row) ?? '–',
      sort: 'position',
      isFigure: true,
    },
    {
      key: 'reward',
      heading: t('catalogueEntries.columns.reward'),
      cell: ({ reward }) => <b>{formatAmount(reward)}</b>,
      sort: 'reward',
      isFigure: true,
    },
    {
      key: 'minutes',
      heading: t('catalogueEntries.columns.minutes'),
      cell: (row) => minutes(row.minutes),
      sort: 'minutes',
      isFigure: true,
      defaultVisibility: 'wide',
    },
    {
      key: 'steps',
      heading: t('catalogueEntries.columns.steps'),
      cell: ({ steps }) => (steps.length === 0 ? '–' : formatPoints(steps.length)),
      isFigure: true,
      defaultVisibility: 'wide',
    },
    {
      key: 'state',
      heading: t('catalogueEntries.columns.state'),
      cell: ({ state }) =>
        state === 'shown' ? (
          <span className="dim">{t('catalogueEntries.choices.state.shown')}</span>
        ) : (
          <StateBadge state={state} />
        ),
    },
    {
      key: 'added',
      heading: t('catalogueEntries.columns.added'),
      cell: ({ createdAt }) => formatAge(createdAt, i18n.language),
      sort: 'createdAt',
      isFigure: true,
      defaultVisibility: 'wide',
    },
  ];
}

const countOf = ({ totalCount, isCapped }: ListPage<CatalogueEntry>): string =>
  `${formatPoints(totalCount)}${isCapped ? '+' : ''}`;

/** How many entries of the kind members see, and how many not. */
function useTotals(kind: (typeof entryKinds)[number] | undefined): Total[] {
  const { t } = useTranslation();
  const of = (state: CatalogueEntry['state']): Record<string, string> =>
    kind === undefined ? { state } : { state, kind };
  const shown = useFirstRow<CatalogueEntry>(readEntries, of('shown'), POLL_MS);
  const hidden = useFirstRow<CatalogueEntry>(readEntries, of('hidden'), POLL_MS);
  const unreachable = useFirstRow<CatalogueEntry>(readEntries, of('unreachable'), POLL_MS);
  return [
    {
      key: 'shown',
      label: t('catalogueEntries.totals.shown'),
      value: totalOf(shown, countOf),
      note: totalOf(shown, ({ totalCount }) =>
        kind !== undefined && totalCount > LISTED_MAX
          ? t('catalogueEntries.totals.first', { max: formatPoints(LISTED_MAX) })
          : '',
      ),
    },
    { key: 'hidden', label: t('catalogueEntries.totals.hidden'), value: totalOf(hidden, countOf) },
    {
      key: 'unreachable',
      label: t('catalogueEntries.totals.unreachable'),
      value: totalOf(unreachable, countOf),
    },
  ];
}
