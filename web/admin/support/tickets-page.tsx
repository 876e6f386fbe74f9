import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { changeTicketStatus, type OperatorTicket, readTicketQueue } from '#contract/support.ts';
import { Age } from '#web/admin/kit/age.tsx';
import type { Column, ListScreen, Total } from '#web/admin/kit/list-screen.ts';
import { totalOf } from '#web/admin/kit/list-totals.tsx';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import type { BulkAct } from '#web/admin/kit/use-bulk-act.ts';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useFirstRow, useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { call } from '#web/client/call.ts';
import { formatAge } from '#web/client/format.ts';
import { CardBadges, hasCardBadges, Priority, TicketBadge } from './ticket-badges.tsx';
import { TicketSheet } from './ticket-sheet.tsx';

/** The operators' tickets: open, read the conversation, respond, next. */

const POLL_MS = 5_000;

const isUnsolved = ({ status }: OperatorTicket) => status === 'open' || status === 'in_progress';

export function TicketsPage() {
  const { t, i18n } = useTranslation();
  const state = useOperatorList<OperatorTicket>(readTicketQueue, {
    pollMs: POLL_MS,
    defaultFilters: { status: 'open' },
    defaultSortFor: ({ status }) =>
      status === 'open' || status === 'in_progress' ? 'createdAt' : '-createdAt',
  });
  const resolve = useResolveAct();
  /** Unsent responses by ticket, so that looking at another ticket loses none. */
  const { current: drafts } = useRef(new Map<string, string>());
  const screen: ListScreen<OperatorTicket> = {
    state,
    ...useListWords(readTicketQueue, 'tickets', {}),
    totals: useTotals(),
    lead: {
      heading: t('tickets.columns.ticket'),
      title: ({ subject }) => subject,
      note: ({ userEmail }) => userEmail,
    },
    columns: useColumns(),
    card: (row) => ({
      figure: <span className="num caption dim">{formatAge(row.createdAt, i18n.language)}</span>,
      note: hasCardBadges(row) ? <CardBadges ticket={row} /> : undefined,
    }),
    isWaiting: isUnsolved,
    bulkActs: (rows) => [resolve(rows)],
    sheet: (row, position) => <TicketSheet key={row.id} ticket={row} position={position} drafts={drafts} />,
  };
  return <OperatorList screen={screen} />;
}

/** Sets the selected tickets to resolved. */
function useResolveAct() {
  const { t } = useTranslation();
  return (rows: OperatorTicket[]): BulkAct<OperatorTicket> => {
    const count = rows.length;
    return {
      key: 'resolve',
      label: t('tickets.bulk.resolve', { count }),
      title: t('tickets.bulk.title', { count }),
      text: t('tickets.bulk.text'),
      submit: t('tickets.bulk.submit', { count }),
      tone: 'plain',
      isMain: true,
      count,
      done: (done) => t('tickets.bulk.done', { count: done }),
      run: {
        rows,
        nameOf: ({ subject }) => subject,
        act: ({ id }) => call(changeTicketStatus, { params: { id }, body: { status: 'resolved' } }),
      },
    };
  };
}

function useColumns(): Column<OperatorTicket, SortOf<typeof readTicketQueue>>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'priority',
      heading: t('tickets.columns.priority'),
      cell: ({ priority }) => <Priority priority={priority} />,
    },
    {
      key: 'status',
      heading: t('tickets.columns.status'),
      cell: ({ status }) => <TicketBadge status={status} />,
    },
    {
      key: 'response',
      heading: t('tickets.columns.response'),
      cell: ({ adminResponse }) => t(adminResponse === null ? 'tickets.notResponded' : 'tickets.responded'),
      defaultVisibility: 'wide',
    },
    {
      key: 'member',
      heading: t('tickets.columns.member'),
      cell: ({ userId }) => userId,
      isFigure: true,
      defaultVisibility: 'hidden',
    },
    {
      key: 'asked',
      heading: t('tickets.columns.asked'),
      cell: ({ createdAt }) => <Age at={createdAt} />,
      sort: 'createdAt',
      isFigure: true,
    },
  ];
}

/** The number of open tickets, the age of the oldest, and the number in progress. */
function useTotals(): Total[] {
  const { t, i18n } = useTranslation();
  const open = useFirstRow<OperatorTicket>(readTicketQueue, { status: 'open', sort: 'createdAt' }, POLL_MS);
  const inProgress = useFirstRow<OperatorTicket>(readTicketQueue, { status: 'in_progress' }, POLL_MS);
  const count = (value: number) => t('tickets.count', { count: value });
  return [
    {
      key: 'open',
      label: t('tickets.totals.open'),
      value: totalOf(open, ({ totalCount }) => count(totalCount)),
    },
    {
      key: 'inProgress',
      label: t('tickets.totals.inProgress'),
      value: totalOf(inProgress, ({ totalCount }) => count(totalCount)),
    },
    {
      key: 'oldest',
      label: t('tickets.totals.oldest'),
      value: totalOf(open, ({ rows: [row] }) =>
        row === undefined ? t('tickets.totals.none') : formatAge(row.createdAt, i18n.language),
      ),
    },
  ];
}
