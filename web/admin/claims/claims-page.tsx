import { useTranslation } from 'react-i18next';
import { changeClaim, type OperatorClaim, readClaimQueue } from '#contract/claims.ts';
import { Age } from '#web/admin/kit/age.tsx';
import type { Column, ListScreen, Total } from '#web/admin/kit/list-screen.ts';
import { totalOf } from '#web/admin/kit/list-totals.tsx';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import type { BulkAct } from '#web/admin/kit/use-bulk-act.ts';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { type ListPage, useFirstRow, useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { call } from '#web/client/call.ts';
import { formatAge, formatAmount, formatPoints } from '#web/client/format.ts';
import { useProviders, useSiteConfig } from '#web/client/session.ts';
import { ClaimBadge, ClaimClock, isOpen, useClockText } from './claim-badges.tsx';
import { ClaimSheet } from './claim-sheet.tsx';

/** The claims about credits that did not arrive, those whose next step is due first on top. */

const POLL_MS = 10_000;

export function ClaimsPage() {
  const { t, i18n } = useTranslation();
  const state = useOperatorList<OperatorClaim>(readClaimQueue, {
    pollMs: POLL_MS,
    defaultFilters: { state: 'open' },
    defaultSortFor: (filters) =>
      filters.state === 'booked' || filters.state === 'refused' ? '-filedAt' : 'dueAt',
  });
  const { data: site } = useSiteConfig();
  const providers = (site?.providers ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const providerOf = useProviders();
  const ask = useAskAct();
  const screen: ListScreen<OperatorClaim> = {
    state,
    ...useListWords(readClaimQueue, 'claimList', { provider: providers }),
    totals: useTotals(),
    lead: {
      heading: t('claimList.columns.member'),
      title: ({ userName }) => userName,
      note: ({ userEmail }) => userEmail,
    },
    columns: useColumns(),
    card: (row) => ({
      note: <ClaimBadge state={row.state} />,
      time: formatAge(row.filedAt, i18n.language),
      badge: isOpen(row) ? <ClaimClock row={row} /> : undefined,
      sentence: providerOf(row.provider)?.name ?? row.provider,
    }),
    isWaiting: isOpen,
    findBulkObstacle: ({ state }) => (state === 'filed' ? undefined : t('claimList.bulk.notFiled')),
    bulkActs: (rows) => [ask(rows)],
    sheet: (row, position) => (
      <ClaimSheet key={row.id} row={row} position={position} refresh={() => void state.refresh()} />
    ),
  };
  return <OperatorList screen={screen} />;
}

/** Says of the selected claims that their providers were asked. */
function useAskAct() {
  const { t } = useTranslation();
  return (rows: OperatorClaim[]): BulkAct<OperatorClaim> => {
    const count = rows.length;
    return {
      key: 'ask',
      label: t('claimList.bulk.ask', { count }),
      title: t('claimList.bulk.title', { count }),
      text: t('claimList.bulk.text'),
      submit: t('claimList.bulk.submit', { count }),
      tone: 'plain',
      isMain: true,
      count,
      done: (done) => t('claimList.bulk.done', { count: done }),
      run: {
        rows,
        nameOf: ({ userName }) => userName,
        act: ({ id }) => call(changeClaim, { params: { id }, body: { state: 'asked' } }),
      },
    };
  };
}

function useColumns(): Column<OperatorClaim, SortOf<typeof readClaimQueue>>[] {
  const { t } = useTranslation();
  const providerOf = useProviders();
  return [
    {
      key: 'provider',
      heading: t('claimList.columns.provider'),
      cell: ({ provider }) => providerOf(provider)?.name ?? provider,
    },
    {
      key: 'state',
      heading: t('claimList.columns.state'),
      cell: ({ state }) => <ClaimBadge state={state} />,
    },
    {
      key: 'clock',
      heading: t('claimList.columns.clock'),
      cell: (row) => <ClaimClock row={row} />,
      sort: 'dueAt',
    },
    {
      key: 'stated',
      heading: t('claimList.columns.stated'),
      cell: ({ statedPoints }) => (statedPoints === null ? '–' : formatAmount(statedPoints)),
      isFigure: true,
      defaultVisibility: 'wide',
    },
    {
      key: 'opened',
      heading: t('claimList.columns.opened'),
      cell: ({ openedAt }) => <Age at={openedAt} isQuiet />,
      isFigure: true,
      defaultVisibility: 'hidden',
    },
    {
      key: 'filed',
      heading: t('claimList.columns.filed'),
      cell: ({ filedAt }) => <Age at={filedAt} isQuiet />,
      sort: 'filedAt',
      isFigure: true,
    },
  ];
}

const countOf = ({ totalCount, isCapped }: ListPage<OperatorClaim>): string =>
  `${formatPoints(totalCount)}${isCapped ? '+' : ''}`;

function useTotals(): Total[] {
  const { t } = useTranslation();
  const clockText = useClockText();
  const open = useFirstRow<OperatorClaim>(readClaimQueue, { state: 'open', sort: 'dueAt' }, POLL_MS);
  const asked = useFirstRow<OperatorClaim>(readClaimQueue, { state: 'asked' }, POLL_MS);
  return [
    { key: 'open', label: t('claimList.totals.open'), value: totalOf(open, countOf) },
    { key: 'asked', label: t('claimList.totals.asked'), value: totalOf(asked, countOf) },
    {
      key: 'late',
      label: t('claimList.totals.late'),
      value: totalOf(open, ({ rows: [row] }) =>
        row === undefined ? t('claimList.totals.none') : clockText(row),
      ),
    },
  ];
}
