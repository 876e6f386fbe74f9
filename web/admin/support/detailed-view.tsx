import { useTranslation } from 'react-i18next';
import { changeTicketStatus, type OperatorTicket, readTicketQueue } from '#contract/support.ts';
import { Age } from '#web/admin/kit/age.tsx';
import type { Column, ListScreen } from '#web/admin/kit/list-screen.ts';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import type { BulkAct } from '#web/admin/kit/use-bulk-act.ts';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { call } from '#web/client/call.ts';
import styles from './desk.module.css';
import { DeskTabs } from './desk-tabs.tsx';
import type { Drafts } from './drafts.ts';
import { DueLine } from './due-line.tsx';
import { CardBadges, hasCardBadges, Priority, TicketBadge } from './ticket-badges.tsx';
import { TicketSheet } from './ticket-sheet.tsx';
import { useTicketTotals } from './use-ticket-figures.tsx';
import { ViewSwitch } from './view-switch.tsx';

/** The detailed view: the tickets by the time that is left, and the conversation with the member's record. */

const POLL_MS = 5_000;

const isUnsolved = ({ status }: OperatorTicket) => status === 'open' || status === 'in_progress';

export function DetailedView({ drafts }: { drafts: Drafts }) {
  const { t } = useTranslation();
  const state = useOperatorList<OperatorTicket>(readTicketQueue, {
    pollMs: POLL_MS,
    defaultFilters: { status: 'unsolved' },
    defaultSortFor: ({ status }) =>
      status === 'resolved' || status === 'closed' ? '-createdAt' : 'answerBy',
  });
  const resolve = useResolveAct();
  const screen: ListScreen<OperatorTicket> = {
    state,
    ...useListWords(readTicketQueue, 'tickets', {}),
    tabs: <DeskTabs current="tickets" />,
    tools: <ViewSwitch />,
    totals: useTicketTotals(),
    lead: {
      heading: t('tickets.columns.ticket'),
      title: ({ subject }) => subject,
      note: ({ userName, category }) =>
        category === null ? userName : `${userName} · ${t(`tickets.categories.${category}`)}`,
    },
    columns: useColumns(),
    card: (row) => ({
      figure: hasCardBadges(row) ? (
        <span className={styles.rowBadges}>
          <CardBadges ticket={row} />
        </span>
      ) : undefined,
      sentence: (
        <>
          <DueLine ticket={row} /> · <Age at={row.createdAt} isQuiet />
        </>
      ),
    }),
    isWaiting: isUnsolved,
    bulkActs: (rows) => [resolve(rows)],
    sheetWidth: 'desk',
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
      key: 'due',
      heading: t('tickets.columns.due'),
      cell: (ticket) => <DueLine ticket={ticket} />,
      sort: 'answerBy',
    },
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
