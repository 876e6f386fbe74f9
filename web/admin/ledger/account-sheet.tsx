import { ActionIcon, Button } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type AccountDays, readAccountDays } from '#contract/ledger-books.ts';
import { FactSheet } from '#web/admin/kit/fact-sheet.tsx';
import { Fact, FactList, SheetFacts } from '#web/admin/kit/sheet-parts.tsx';
import { requestIdOf } from '#web/client/call.ts';
import { formatPoints, formatSigned, formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { useFileLink } from '#web/ui/use-file-link.ts';
import { useBookNames } from './account-names.ts';
import styles from './books-page.module.css';
import { dayText, monthAfter, monthText } from './months.ts';

/** The movements of one account by day, a month at a time, with the balance before it and after it. */
type AccountSheetProps = {
  account: string;
  month: string | undefined;
  onMonth: (month: string) => void;
  onClose: () => void;
};

export function AccountSheet({ account, month, onMonth, onClose }: AccountSheetProps) {
  const { t } = useTranslation();
  const { accountOf } = useBookNames();
  const query = { account, ...(month === undefined ? {} : { month }) };
  const read = useRead(readAccountDays, { query });
  const link = useFileLink(readAccountDays, { query: { ...query, format: 'csv' } });
  const name = accountOf(read.data?.account ?? { account, name: null });
  return (
    <FactSheet title={name} onClose={onClose}>
      <SheetFacts>
        {read.isPending && <SkeletonRows count={6} />}
        {read.isError && (
          <ErrorState
            title={t('common.failed')}
            text={t(`refusals.${read.error.code}`)}
            requestId={requestIdOf(read.error)}
            onRetry={() => void read.refetch()}
          />
        )}
        {read.data !== undefined && <Month read={read.data} onMonth={onMonth} />}
      </SheetFacts>
      <div className={styles.foot}>
        <Button
          component="a"
          variant="default"
          fullWidth
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
          {...link}
        >
          {t('books.accountFile')}
        </Button>
      </div>
    </FactSheet>
  );
}

/** A balance with its side, as the trial balance shows it. */
function Balance({ balance }: { balance: string }) {
  const { t } = useTranslation();
  if (BigInt(balance) === 0n) return <>0</>;
  const isDebit = balance.startsWith('-');
  return (
    <>
      {t(isDebit ? 'books.debitOf' : 'books.creditOf', {
        points: formatPoints(isDebit ? balance.slice(1) : balance),
      })}
    </>
  );
}

function Month({ read, onMonth }: { read: AccountDays; onMonth: (month: string) => void }) {
  const { t, i18n } = useTranslation();
  const { month, firstMonth, lastMonth, account, countedUntil, days } = read;
  return (
    <>
      <div className={styles.month}>
        <ActionIcon
          disabled={month <= firstMonth}
          aria-label={t('books.monthBefore')}
          onClick={() => onMonth(monthAfter(month, -1))}
        >
          <IconArrowLeft size={20} stroke={1.75} />
        </ActionIcon>
        <p aria-live="polite">{monthText(month, i18n.language)}</p>
        <ActionIcon
          disabled={month >= lastMonth}
          aria-label={t('books.monthAfter')}
          onClick={() => onMonth(monthAfter(month, 1))}
        >
          <IconArrowRight size={20} stroke={1.75} />
        </ActionIcon>
      </div>
      <FactList>
        <Fact label={t('books.before')}>
          <Balance balance={account?.before ?? '0'} />
        </Fact>
        <Fact label={t('books.after')}>
          <Balance balance={account?.after ?? '0'} />
        </Fact>
      </FactList>
      {days.length === 0 ? (
        <EmptyState title={t('books.noMovements')} text={t('books.noMovementsText')} />
      ) : (
        <DayTable days={days} />
      )}
      <p className={styles.note}>
        {t('books.countedUntil', { time: formatTime(countedUntil, i18n.language) })} {t('books.signs')}
      </p>
    </>
  );
}

function DayTable({ days }: { days: AccountDays['days'] }) {
  const { t, i18n } = useTranslation();
  const { kindOf } = useBookNames();
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('books.day')}</th>
          <th scope="col" className={styles.figure}>
            {t('books.movements')}
          </th>
          <th scope="col" className={styles.figure}>
            {t('books.change')}
          </th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, kind, movements, points }) => (
          <tr key={`${day} ${kind}`}>
            <th scope="row">
              {dayText(day, i18n.language)}
              <small>{kindOf(kind)}</small>
            </th>
            <td className={`num ${styles.figure}`}>{formatPoints(movements)}</td>
            <td className={`num ${styles.figure}`}>{formatSigned(points)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
