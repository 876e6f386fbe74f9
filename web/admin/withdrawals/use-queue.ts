import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type OperatorWithdrawal, readWithdrawalQueue, readWithdrawalStats } from '#contract/withdrawals.ts';
import { toPoints } from '#web/client/format.ts';
import { refreshTopics, useRead } from '#web/client/use-call.ts';
import type { QueueSearch, QueueSort } from './queue-search.ts';

/** The queue as it stands in the address and on the server. Everything is asked for again every three seconds. */

export const ROWS_PER_PAGE = 20;
const POLL_MS = 3_000;
const OLDEST_POLL_MS = 30_000;

const sortWords: Record<QueueSort, string> = {
  oldest: 'createdAt',
  newest: '-createdAt',
  largest: '-amount',
  smallest: 'amount',
};

export type QueueStatus = NonNullable<QueueSearch['status']> | 'pending';

export function useQueue() {
  const search = useSearch({ from: '/management-panel-x7k9w/' });
  const navigate = useNavigate({ from: '/management-panel-x7k9w' });
  const client = useQueryClient();
  const status: QueueStatus = search.status ?? 'pending';
  const usualSort: QueueSort = status === 'pending' ? 'oldest' : 'newest';
  const sort = search.sort ?? usualSort;
  const query = {
    page: String(search.page ?? 1),
    limit: String(ROWS_PER_PAGE),
    sort: sortWords[sort],
    ...(status === 'all' ? {} : { status }),
    ...(search.q === undefined ? {} : { q: search.q }),
  };
  const list = useRead(
    readWithdrawalQueue,
    { query },
    { placeholderData: keepPreviousData, refetchInterval: POLL_MS },
  );
  const stats = useRead(readWithdrawalStats, undefined, { refetchInterval: POLL_MS });
  const oldest = useRead(
    readWithdrawalQueue,
    { query: { page: '1', limit: '1', sort: 'createdAt', status: 'pending' } },
    { refetchInterval: OLDEST_POLL_MS },
  );

  const exportQuery = new URLSearchParams({ ...query, page: '1', limit: '100', format: 'csv' });
  return {
    status,
    sort,
    q: search.q ?? '',
    page: search.page ?? 1,
    openId: search.open ?? null,
    list,
    rows: list.data?.withdrawals ?? [],
    stats: stats.data,
    oldest: oldest.data?.withdrawals[0],
    exportPath: `${readWithdrawalQueue.path}?${exportQuery}`,
    /** Changes what is shown; a change of filter or order begins at the first page. */
    show: (change: { status?: QueueStatus; sort?: QueueSort; q?: string; page?: number }) => {
      const { page, ...filters } = change;
      const next = { status, sort: search.sort, q: search.q, ...filters };
      void navigate({
        replace: true,
        search: {
          ...(next.status === 'pending' ? {} : { status: next.status }),
          ...(next.sort === undefined || next.sort === usualSort ? {} : { sort: next.sort }),
          ...(next.q === undefined || next.q === '' ? {} : { q: next.q }),
          ...(page === undefined || page === 1 ? {} : { page }),
        },
      });
    },
    open: (id: string | null) => {
      const { open: _, ...rest } = search;
      void navigate({ replace: true, search: id === null ? rest : { ...rest, open: id } });
    },
    refresh: () => refreshTopics(client, ['queue']),
  };
}

export type Queue = ReturnType<typeof useQueue>;

/** One request by its id, wherever it stands, so that the sheet keeps it when it has left the list. */
export function useRequest(id: string) {
  return useRead(
    readWithdrawalQueue,
    { query: { page: '1', limit: '1', q: id } },
    { refetchInterval: POLL_MS },
  );
}

export const sumOf = (rows: OperatorWithdrawal[]): bigint =>
  rows.reduce((sum, row) => sum + toPoints(row.amount), 0n);

/** Which of the waiting rows of this page are chosen. What is decided meanwhile is chosen no more. */
export function useSelection(rows: OperatorWithdrawal[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const waiting = rows.filter((row) => row.status === 'pending');
  const chosen = waiting.filter((row) => ids.has(row.id));
  return {
    chosen,
    has: (id: string) => ids.has(id),
    isAll: waiting.length > 0 && chosen.length === waiting.length,
    canChoose: waiting.length > 0,
    toggle: (id: string) => {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      setIds(next);
    },
    toggleAll: () =>
      setIds(chosen.length === waiting.length ? new Set() : new Set(waiting.map((row) => row.id))),
    clear: () => setIds(new Set()),
  };
}

export type Selection = ReturnType<typeof useSelection>;
