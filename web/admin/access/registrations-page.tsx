import { useTranslation } from 'react-i18next';
import {
  approveRegistration,
  type RegistrationReview,
  readRegistrationReviews,
  rejectRegistration,
} from '#contract/access-registration-reviews.ts';
import { Age } from '#web/admin/kit/age.tsx';
import type { Column, ListScreen, Total } from '#web/admin/kit/list-screen.ts';
import { totalOf } from '#web/admin/kit/list-totals.tsx';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import type { BulkAct } from '#web/admin/kit/use-bulk-act.ts';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { type ListPage, useFirstRow, useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { call } from '#web/client/call.ts';
import { formatAge, formatPoints } from '#web/client/format.ts';
import { ClockBadge, FlagBadges } from './review-badges.tsx';
import { ReviewSheet, useReasonWords } from './review-sheet.tsx';

/**
 * The registrations that wait for an operator, each with the 24 hours that the person was promised; the most overdue
 * first.
 */

const POLL_MS = 15_000;

export function RegistrationsPage() {
  const { t, i18n } = useTranslation();
  const state = useOperatorList<RegistrationReview>(readRegistrationReviews, {
    pollMs: POLL_MS,
    defaultFilters: { status: 'open' },
    defaultSortFor: ({ status }) => (status === 'open' ? 'createdAt' : '-createdAt'),
  });
  const screen: ListScreen<RegistrationReview> = {
    state,
    ...useListWords(readRegistrationReviews, 'registrations', {}),
    totals: useTotals(),
    lead: {
      heading: t('registrations.columns.person'),
      title: ({ email }) => email,
      note: ({ ipAddress }) => ipAddress ?? '',
    },
    columns: useColumns(),
    card: (row) => ({
      note: <FlagBadges row={row} />,
      time: formatAge(row.createdAt, i18n.language),
      badge: <ClockBadge row={row} />,
    }),
    isWaiting: ({ status }) => status === 'open',
    bulkActs: useBulkActs(),
    sheet: (row, position) => (
      <ReviewSheet key={row.id} row={row} position={position} refresh={() => void state.refresh()} />
    ),
  };
  return <OperatorList screen={screen} />;
}

function useColumns(): Column<RegistrationReview, SortOf<typeof readRegistrationReviews>>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'flags',
      heading: t('registrations.columns.flags'),
      cell: (row) => <FlagBadges row={row} />,
    },
    {
      key: 'clock',
      heading: t('registrations.columns.clock'),
      cell: (row) => <ClockBadge row={row} />,
    },
    {
      key: 'address',
      heading: t('registrations.columns.address'),
      cell: ({ ipAddress }) => <span className="num">{ipAddress ?? '–'}</span>,
      defaultVisibility: 'hidden',
    },
    {
      key: 'received',
      heading: t('registrations.columns.received'),
      cell: ({ createdAt }) => <Age at={createdAt} isQuiet />,
      sort: 'createdAt',
      isFigure: true,
    },
  ];
}

const countOf = ({ totalCount, isCapped }: ListPage<RegistrationReview>): string =>
  `${formatPoints(totalCount)}${isCapped ? '+' : ''}`;

function useTotals(): Total[] {
  const { t, i18n } = useTranslation();
  const first = (filters: Record<string, string>) => ({ sort: 'createdAt', ...filters });
  const waiting = useFirstRow<RegistrationReview>(
    readRegistrationReviews,
    first({ status: 'open' }),
    POLL_MS,
  );
  const overdue = useFirstRow<RegistrationReview>(
    readRegistrationReviews,
    first({ clock: 'overdue' }),
    POLL_MS,
  );
  return [
    { key: 'waiting', label: t('registrations.totals.waiting'), value: totalOf(waiting, countOf) },
    { key: 'overdue', label: t('registrations.totals.overdue'), value: totalOf(overdue, countOf) },
    {
      key: 'oldest',
      label: t('registrations.totals.oldest'),
      value: totalOf(waiting, ({ rows: [row] }) =>
        row === undefined ? t('registrations.totals.none') : formatAge(row.createdAt, i18n.language),
      ),
    },
  ];
}

/** The acts on the selected registrations. */
function useBulkActs() {
  const { t } = useTranslation();
  const reason = useReasonWords();
  const nameOf = ({ email }: RegistrationReview) => email;
  return (rows: RegistrationReview[]): BulkAct<RegistrationReview>[] => {
    const count = rows.length;
    return [
      {
        key: 'reject',
        label: t('registrations.bulk.reject', { count }),
        title: t('registrations.bulk.rejectTitle', { count }),
        text: t('registrations.bulk.rejectText'),
        submit: t('registrations.bulk.rejectSubmit', { count }),
        tone: 'danger',
        count,
        reason,
        done: (done) => t('registrations.bulk.resultRejected', { count: done }),
        run: {
          rows,
          nameOf,
          act: ({ id }, text) => call(rejectRegistration, { params: { id }, body: { reason: text } }),
        },
      },
      {
        key: 'approve',
        label: t('registrations.bulk.approve', { count }),
        title: t('registrations.bulk.approveTitle', { count }),
        text: t('registrations.bulk.approveText'),
        submit: t('registrations.bulk.approveSubmit', { count }),
        tone: 'plain',
        isMain: true,
        count,
        done: (done) => t('registrations.bulk.resultApproved', { count: done }),
        run: { rows, nameOf, act: ({ id }) => call(approveRegistration, { params: { id } }) },
      },
    ];
  };
}
