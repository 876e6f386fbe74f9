import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Absence, readAbsences } from '#contract/decisions.ts';
import type { Column, ListScreen } from '#web/admin/kit/list-screen.ts';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { Fact, FactList, SheetFacts, SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAmount, formatTime } from '#web/client/format.ts';
import styles from './appeal-sheet.module.css';
import { useDecisionViews } from './use-decision-views.ts';

/** Members who have not logged in for three months and were told, with the points that they have. */

const POLL_MS = 30_000;

export function AbsenceList() {
  const { t, i18n } = useTranslation();
  const screen: ListScreen<Absence> = {
    state: useOperatorList<Absence>(readAbsences, { pollMs: POLL_MS, defaultFilters: { points: 'some' } }),
    ...useListWords(readAbsences, 'absences', {}),
    views: useDecisionViews('absences'),
    lead: {
      heading: t('absences.columns.member'),
      title: ({ userName }) => userName,
      note: ({ userEmail }) => userEmail,
    },
    columns: useColumns(),
    card: (row) => ({
      figure: formatAmount(row.balance),
      time: formatTime(row.lastSignInAt, i18n.language),
    }),
    isWaiting: () => false,
    sheet: (row) => <AbsenceSheet key={row.id} row={row} />,
  };
  return <OperatorList screen={screen} />;
}

function useColumns(): Column<Absence, SortOf<typeof readAbsences>>[] {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  return [
    {
      key: 'balance',
      heading: t('absences.columns.balance'),
      cell: ({ balance }) => formatAmount(balance),
      isFigure: true,
    },
    {
      key: 'seen',
      heading: t('absences.columns.seen'),
      cell: ({ lastSignInAt }) => formatTime(lastSignInAt, language),
      isFigure: true,
    },
    {
      key: 'told',
      heading: t('absences.columns.told'),
      cell: ({ notifiedAt }) => formatTime(notifiedAt, language),
      sort: 'notifiedAt',
      isFigure: true,
      defaultVisibility: 'medium',
    },
  ];
}

/** One member who is away, with the way to the account and to the act that takes points back. */
function AbsenceSheet({ row }: { row: Absence }) {
  const { t, i18n } = useTranslation();
  const time = (iso: string) => formatTime(iso, i18n.language);
  return (
    <>
      <SheetFacts>
        <p className={styles.what}>{row.userName}</p>
        <p className={styles.person}>{row.userEmail}</p>
        <FactList>
          <Fact label={t('absences.columns.balance')}>{formatAmount(row.balance)}</Fact>
          <Fact label={t('absences.columns.seen')}>{time(row.lastSignInAt)}</Fact>
          <Fact label={t('absences.columns.told')}>{time(row.notifiedAt)}</Fact>
        </FactList>
      </SheetFacts>
      <SheetFoot fine={t('absences.sheet.fine')}>
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link {...props} to="/management-panel-x7k9w/users/member" search={{ id: row.id }} />
          )}
        >
          {t('absences.sheet.open')}
        </Button>
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/management-panel-x7k9w/chargebacks"
              search={{ from: row.id, away: row.balance }}
            />
          )}
        >
          {t('absences.sheet.take')}
        </Button>
      </SheetFoot>
    </>
  );
}
