import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconDots, IconDownload } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError, requestIdOf } from '#web/client/call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageBeyond } from '#web/ui/page-beyond.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { below } from '#web/ui/sizes.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useFileLink } from '#web/ui/use-file-link.ts';
import { BulkBar } from './bulk-bar.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { KeyStrip } from './key-strip.tsx';
import { ListCards } from './list-cards.tsx';
import { shownColumns } from './list-columns.ts';
import { ListFilters } from './list-filters.tsx';
import { ListNotices } from './list-notices.tsx';
import type { Column, ListScreen } from './list-screen.ts';
import { ListTable } from './list-table.tsx';
import { ListTotals } from './list-totals.tsx';
import { ListViews } from './list-views.tsx';
import { isNameLike } from './name-like.ts';
import { NothingFound } from './nothing-found.tsx';
import { NoticesOpener } from './notices-opener.ts';
import styles from './operator-list.module.css';
import { SideSheet } from './side-sheet.tsx';
import type { BulkAct, HeadAct } from './use-bulk-act.ts';
import { focusRow, useListKeys } from './use-list-keys.ts';
import { useRefusalWords } from './use-refusal-words.ts';
import { type Selection, useSelection } from './use-selection.ts';
import { useShownTotals } from './use-shown-totals.ts';
import { useWidth } from './use-width.ts';

/**
 * The screen of an operators' list: totals, filters, table, bulk acts and side sheet, as declared in `list-screen.ts`.
 * Page, filters and sort are in the URL; the server filters, sorts and counts. Rules and words belong to the feature;
 * the kit has none.
 */
export function OperatorList<Row extends { id: string }>({ screen }: { screen: ListScreen<Row> }) {
  const { state } = screen;
  const { openId, isBeside } = state;
  const selection = useSelection(screen);
  const [act, setAct] = useState<BulkAct<Row> | null>(null);
  const [areNoticesOpen, notices] = useDisclosure(false);
  const { ref, width } = useWidth();
  const isPhone = useMediaQuery(below('tablet'), false, { getInitialValueInEffect: false });
  const columns = shownColumns(screen, width);
  const hasSheetBeside = openId !== null && isBeside;
  const close = () => state.open(null);
  useFocusAfterSheet(openId);
  const { index, move } = useListKeys(screen, selection, close);
  const line = screen.notices !== undefined && (
    <ListNotices
      notices={screen.notices}
      isOpen={areNoticesOpen}
      onOpen={notices.open}
      onClose={notices.close}
    />
  );

  return (
    <div className={styles.work} data-sheet={hasSheetBeside ? (screen.sheetWidth ?? 'narrow') : undefined}>
      <main id="main" tabIndex={-1} className={styles.main}>
        <Head screen={screen} onAct={setAct}>
          {!isPhone && line}
        </Head>
        <div ref={ref} className={styles.list}>
          <ListFilters screen={screen} columns={columns} />
          <Rows
            screen={screen}
            columns={columns}
            selection={selection}
            areCards={isPhone || (hasSheetBeside && screen.sheetWidth === 'desk')}
          />
          {isPhone && line}
          <BulkBar screen={screen} selection={selection} onAct={setAct} />
          <KeyStrip />
        </div>
      </main>
      {openId !== null && (
        <NoticesOpener value={notices.open}>
          <SideSheet
            key={openId}
            screen={screen}
            id={openId}
            isBeside={isBeside}
            index={index}
            onMove={move}
            onClose={close}
          />
        </NoticesOpener>
      )}
      <BulkDialog
        act={act ?? screen.shownAct?.act ?? null}
        onActed={() => {
          selection.clear();
          void state.refresh();
        }}
        onRenew={setAct}
        onClose={() => {
          setAct(null);
          screen.shownAct?.close();
        }}
      />
    </div>
  );
}

/** Focuses the row of a closed sheet if the focus was lost with the sheet, also after the browser's Back. */
function useFocusAfterSheet(openId: string | null): void {
  const before = useRef(openId);
  useEffect(() => {
    const closedId = openId === null ? before.current : null;
    before.current = openId;
    if (closedId !== null && document.activeElement === document.body) focusRow(closedId);
  }, [openId]);
}

type HeadProps<Row extends { id: string }> = {
  screen: ListScreen<Row>;
  onAct: (act: BulkAct<Row>) => void;
};

/** Asks what an act on all rows would do, and opens its dialog with that. */
function useHeadActs<Row extends { id: string }>({ screen, onAct }: HeadProps<Row>) {
  const refusalWords = useRefusalWords();
  const [asked, setAsked] = useState<string | null>(null);
  const begin = async ({ key, prepare }: HeadAct<Row>) => {
    setAsked(key);
    try {
      onAct(await prepare());
    } catch (error) {
      if (!isApiError(error)) throw error;
      toast.bad(refusalWords(error.code));
    } finally {
      setAsked(null);
    }
  };
  return (screen.headActs ?? []).map((act) => ({
    key: act.key,
    label: act.label,
    isAsked: asked === act.key,
    begin: () => void begin(act),
  }));
}

function Head<Row extends { id: string }>({
  screen,
  onAct,
  children,
}: HeadProps<Row> & { children: ReactNode }) {
  const isPhone = useMediaQuery(below('tablet'), false, { getInitialValueInEffect: false });
  const isNarrow = screen.state.openId !== null && screen.state.isBeside && screen.sheetWidth !== 'desk';
  const totals = useShownTotals(screen.state, screen.totals ?? [], screen.foundTotals);
  return (
    <div className={styles.head}>
      <div className={styles.title}>
        <h1>{screen.words.title}</h1>
        {screen.tabs}
        {children}
        <div className={styles.tools}>
          {screen.tools}
          {screen.begin !== undefined && (
            <Button size="sm" onClick={screen.begin.act}>
              {screen.begin.label}
            </Button>
          )}
          {isPhone || isNarrow ? (
            <MoreMenu screen={screen} onAct={onAct} />
          ) : (
            <Tools screen={screen} onAct={onAct} />
          )}
        </div>
      </div>
      {screen.notice}
      {screen.totals !== undefined && <ListTotals totals={totals} />}
      <ListViews own={screen.views} />
    </div>
  );
}

/** The export of the matching rows of all pages. */
function useExport<Row extends { id: string }>({ state }: ListScreen<Row>) {
  const { endpoint, found } = state;
  return useFileLink(endpoint, { query: { ...found, format: 'csv' } } as never);
}

function Tools<Row extends { id: string }>(props: HeadProps<Row>) {
  const { t } = useTranslation();
  const file = useExport(props.screen);
  const acts = useHeadActs(props);
  return (
    <>
      {acts.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="subtle" size="sm" loading={acts.some(({ isAsked }) => isAsked)}>
              {t('list.allActs')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {acts.map(({ key, label, begin }) => (
              <Menu.Item key={key} onClick={begin}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {props.screen.otherActs?.map(({ key, label, act }) => (
        <Button key={key} variant="subtle" size="sm" onClick={act}>
          {label}
        </Button>
      ))}
      <Button
        component="a"
        {...file}
        variant="subtle"
        size="sm"
        leftSection={<IconDownload size={16} stroke={2} aria-hidden="true" />}
      >
        {t('list.export')}
      </Button>
    </>
  );
}

/** The same acts in a menu, on a phone and beside an open sheet. */
function MoreMenu<Row extends { id: string }>(props: HeadProps<Row>) {
  const { t } = useTranslation();
  const file = useExport(props.screen);
  const acts = useHeadActs(props);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon className={styles.more} aria-label={t('list.more')}>
          <IconDots size={20} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map(({ key, label, begin }) => (
          <Menu.Item key={key} onClick={begin}>
            {label}
          </Menu.Item>
        ))}
        {props.screen.otherActs?.map(({ key, label, act }) => (
          <Menu.Item key={key} onClick={act}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Item component="a" {...file}>
          {t('list.export')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** An empty list, or one in which nothing was found, with the way back to all rows. */
function NoRows<Row extends { id: string }>({ screen: { state, words } }: { screen: ListScreen<Row> }) {
  if (state.isDefault) return <EmptyState {...words.empty} />;
  return <NothingFound {...(isNameLike(state.q) ? words.noName : words.notFound)} onClear={state.clear} />;
}

type RowsProps<Row extends { id: string }> = {
  screen: ListScreen<Row>;
  columns: readonly Column<Row>[];
  selection: Selection<Row>;
  /** Whether a row is a card, because the list is as narrow as a phone. */
  areCards: boolean;
};

const SKELETONS = 5;

function Rows<Row extends { id: string }>({ screen, columns, selection, areCards }: RowsProps<Row>) {
  const { t } = useTranslation();
  const { state, words } = screen;
  const { read, rows } = state;
  if (read.isPending) {
    return (
      <div className={styles.rows}>
        <SkeletonRows count={SKELETONS} />
      </div>
    );
  }
  if (read.data === undefined) {
    return (
      <div className={styles.rows}>
        <ErrorState
          title={words.failed.title}
          text={`${words.failed.text} ${t(`refusals.${read.error?.code ?? 'internal'}`)}`}
          requestId={requestIdOf(read.error)}
          onRetry={() => void read.refetch()}
        />
      </div>
    );
  }
  if (rows.length === 0 && read.data.totalCount > 0) {
    return (
      <div className={styles.empty}>
        <PageBeyond onFirst={() => state.show({ page: 1 })} />
      </div>
    );
  }
  if (rows.length === 0) {
    return (
      <div className={styles.empty}>
        <NoRows screen={screen} />
      </div>
    );
  }
  return (
    <div className={styles.rows} aria-busy={read.isPlaceholderData || undefined}>
      {read.error !== null && (
        <p className={styles.stale} role="alert">
          {t('list.stale')} {t(`refusals.${read.error.code}`)}
        </p>
      )}
      {areCards ? (
        <ListCards screen={screen} selection={selection} />
      ) : (
        <ListTable screen={screen} columns={columns} selection={selection} />
      )}
      <Pager
        page={state.page}
        totalPages={read.data.totalPages}
        onPage={(page) => state.show({ page })}
        label={words.pages}
      />
    </div>
  );
}
