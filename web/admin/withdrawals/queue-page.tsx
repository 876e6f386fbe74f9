import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { requestIdOf } from '#web/client/call.ts';
import { toPoints } from '#web/client/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { below, from } from '#web/ui/sizes.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { QueueFilters } from './queue-filters.tsx';
import { QueueList } from './queue-list.tsx';
import styles from './queue-page.module.css';
import { QueueTable } from './queue-table.tsx';
import { QueueTotals } from './queue-totals.tsx';
import { RequestSheet } from './request-sheet.tsx';
import type { Bulk } from './use-bulk.ts';
import { type Queue, type Selection, sumOf, useQueue, useSelection } from './use-queue.ts';
import { useQueueKeys } from './use-queue-keys.ts';

const SKELETONS = 5;

/** The withdrawals that wait for an operator: open, decide, next. */
export function QueuePage() {
  const queue = useQueue();
  const selection = useSelection(queue.rows);
  const [bulk, setBulk] = useState<Bulk | null>(null);
  const isBeside = useMediaQuery(from('laptop')) ?? true;
  const close = () => {
    const id = queue.openId;
    queue.open(null);
    if (id !== null) requestAnimationFrame(() => document.getElementById(`row-${id}`)?.focus());
  };
  const { index, move } = useQueueKeys(queue, close, { isOff: bulk !== null, isBeside });

  const pendingAll = queue.stats;
  const askAll = (decision: Bulk['decision']) => {
    if (pendingAll === undefined) return;
    const sum = toPoints(pendingAll.pendingAmount);
    setBulk({ decision, rows: null, count: pendingAll.pendingWithdrawals, sum });
  };
  const askChosen = (decision: Bulk['decision']) =>
    setBulk({
      decision,
      rows: selection.chosen,
      count: selection.chosen.length,
      sum: sumOf(selection.chosen),
    });

  return (
    <div className={styles.work} data-sheet={(queue.openId !== null && isBeside) || undefined}>
      <main id="main" tabIndex={-1} className={styles.main}>
        <QueueHead queue={queue} onAll={askAll} />
        <QueueFilters queue={queue} onChange={selection.clear} />
        <Rows queue={queue} selection={selection} />
        <BulkBar selection={selection} onDecide={askChosen} />
      </main>
      {queue.openId !== null && (
        <RequestSheet
          key={queue.openId}
          queue={queue}
          id={queue.openId}
          isBeside={isBeside}
          index={index}
          onMove={move}
          onClose={close}
        />
      )}
      <BulkDialog
        bulk={bulk}
        onDone={() => {
          selection.clear();
          void queue.refresh();
        }}
        onClose={() => setBulk(null)}
      />
    </div>
  );
}

type QueueHeadProps = { queue: Queue; onAll: (decision: Bulk['decision']) => void };

function QueueHead({ queue, onAll }: QueueHeadProps) {
  const { t } = useTranslation();
  // Off until it is known whether anything waits, but there, so that nothing below it moves.
  const isKnown = queue.stats !== undefined;
  const canDecideAll = queue.status === 'pending' && queue.stats?.pendingWithdrawals !== 0;
  return (
    <div className={styles.head}>
      <div className={styles.title}>
        <h1>{t('queue.title')}</h1>
        <div className={styles.tools}>
          {canDecideAll && (
            <>
              <Button variant="default" size="sm" disabled={!isKnown} onClick={() => onAll('rejected')}>
                {t('queue.bulk.rejectAll')}
              </Button>
              <Button variant="default" size="sm" disabled={!isKnown} onClick={() => onAll('approved')}>
                {t('queue.bulk.approveAll')}
              </Button>
            </>
          )}
          <Button
            component="a"
            href={queue.exportPath}
            download
            variant="subtle"
            size="sm"
            leftSection={<IconDownload size={16} stroke={2} aria-hidden="true" />}
          >
            {t('queue.export')}
          </Button>
        </div>
      </div>
      <QueueTotals queue={queue} />
    </div>
  );
}

function Rows({ queue, selection }: { queue: Queue; selection: Selection }) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery(below('tablet')) ?? false;
  const { list } = queue;
  if (list.isPending) return <SkeletonRows count={SKELETONS} />;
  if (list.isError && list.data === undefined) {
    return (
      <ErrorState
        title={t('queue.failed.title')}
        text={`${t('queue.failed.text')} ${t(`refusals.${list.error.code}`)}`}
        requestId={requestIdOf(list.error)}
        onRetry={() => void list.refetch()}
      />
    );
  }
  if (queue.rows.length === 0) {
    const kind =
      queue.q === '' && queue.status === 'pending'
        ? (['title', 'text'] as const)
        : (['searchTitle', 'searchText'] as const);
    return (
      <div className={styles.empty}>
        <EmptyState title={t(`queue.empty.${kind[0]}`)} text={t(`queue.empty.${kind[1]}`)} />
      </div>
    );
  }
  const view = { rows: queue.rows, openId: queue.openId, selection, onOpen: queue.open };
  return (
    <div className={styles.rows} aria-busy={list.isPlaceholderData || undefined}>
      {list.isError && (
        <p className={styles.stale} role="alert">
          {t('queue.stale')} {t(`refusals.${list.error.code}`)}
        </p>
      )}
      {isPhone ? <QueueList {...view} /> : <QueueTable {...view} sort={queue.sort} />}
      <Pager
        page={queue.page}
        totalPages={list.data.pagination.totalPages}
        onPage={(page) => {
          selection.clear();
          queue.show({ page });
        }}
        label={t('queue.pages')}
      />
    </div>
  );
}
