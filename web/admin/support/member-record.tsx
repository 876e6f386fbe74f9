import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import { type AccountRecord, readTimeline, readUser } from '#contract/members-accounts.ts';
import { type OperatorTicket, readTicketQueue, type TicketSubjectKind } from '#contract/support.ts';
import type { TimelineLine } from '#contract/timeline.ts';
import { readWithdrawalQueue } from '#contract/withdrawals.ts';
import { Fact, FactList, SheetPerson } from '#web/admin/kit/sheet-parts.tsx';
import { useFirstRow } from '#web/admin/kit/use-operator-list.ts';
import { formatAmount, formatPoints, formatSigned, formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { useRailWords } from '#web/ui/rails.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { WithdrawalBadge } from '#web/ui/withdrawal-badge.tsx';
import styles from './member-record.module.css';

const POLL_MS = 30_000;
const ROWS_MAX = 3;
const EARNINGS_MAX = 5;
/** What the id of a movement begins with in the timeline. The rest is the id that a chargeback has. */
const MOVEMENT = 'movement-';
/** Withdrawals have a part of their own, and nobody asks support about games. */
const earnings = ['earning', 'reversal', 'bonus', 'referral', 'grant'] as const;
type Earning = TimelineLine & { kind: (typeof earnings)[number] };
const isEarning = (line: TimelineLine): line is Earning => earnings.some((kind) => kind === line.kind);

const inPoll = { refetchInterval: POLL_MS };
export const useMemberRecord = (id: string, enabled = true) =>
  useRead(readUser, { params: { id } }, { ...inPoll, enabled });
export const useMemberWithdrawals = (id: string, enabled = true) => {
  const { data } = useRead(readWithdrawalQueue, { query: { q: id } }, { ...inPoll, enabled });
  // A search for digits may find a text of another member's too.
  return data?.withdrawals.filter(({ userId }) => userId === id);
};

type RecordProps = { ticket: OperatorTicket };

/** What a response needs to know of the member: balance, newest withdrawals and earnings, other tickets. */
export function MemberRecord({ ticket }: RecordProps) {
  const { t } = useTranslation();
  const { data: member, isError } = useMemberRecord(ticket.userId);
  return (
    <section className={styles.record} aria-label={t('tickets.record.title')}>
      {member === undefined ? (
        isError ? (
          <p className="dim">{t('tickets.record.failed')}</p>
        ) : (
          <SkeletonRows count={5} />
        )
      ) : (
        <>
          <SheetPerson {...member} name={fullNameOf(member)} />
          <p className={`num ${styles.balance}`}>
            {formatPoints(member.balance)} <small>P</small>
          </p>
          <p className={styles.note}>
            {t('tickets.record.earned', {
              amount: formatAmount(member.totalEarned),
              count: member.completedTasks,
            })}
          </p>
          <Withdrawals ticket={ticket} />
          <Earnings ticket={ticket} />
          <Others member={member} />
        </>
      )}
    </section>
  );
}

/** Whether the ticket is about this record. */
const isAbout = (ticket: OperatorTicket, kind: TicketSubjectKind, id: string): boolean =>
  ticket.subjectKind === kind && ticket.subjectId === id;

type RowProps = { title: ReactNode; amount: string; note: ReactNode; isMarked: boolean };

function Row({ title, amount, note, isMarked }: RowProps) {
  const { t } = useTranslation();
  return (
    <li data-about={isMarked || undefined}>
      <span className={styles.title}>
        {title}
        {isMarked && <span className="visually-hidden"> ({t('tickets.record.about')})</span>}
      </span>
      <b className="num">{formatSigned(amount)} P</b>
      <span className={styles.note}>{note}</span>
    </li>
  );
}

function Withdrawals({ ticket }: RecordProps) {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  const isMarked = ({ id }: { id: string }) => isAbout(ticket, 'withdrawal', id);
  // An older one that the ticket is about is shown too.
  const rows = useMemberWithdrawals(ticket.userId)?.filter((row, index) => index < ROWS_MAX || isMarked(row));
  return (
    <>
      <h3>{t('tickets.record.withdrawals')}</h3>
      {rows?.length === 0 && <p className="dim">{t('tickets.record.none')}</p>}
      <ul>
        {rows?.map((row) => (
          <Row
            key={row.id}
            isMarked={isMarked(row)}
            title={
              <Link
                to="/management-panel-x7k9w/withdrawals"
                search={{ status: 'all', open: row.id } as never}
                className="link"
              >
                {nameOf(row.method)}
              </Link>
            }
            amount={`-${row.amount}`}
            note={
              <>
                {formatTime(row.createdAt, i18n.language)} <WithdrawalBadge {...row} />
              </>
            }
          />
        ))}
      </ul>
    </>
  );
}

function Earnings({ ticket }: RecordProps) {
  const { t, i18n } = useTranslation();
  const { data } = useRead(readTimeline, { params: { id: ticket.userId }, query: { part: 'money' } }, inPoll);
  const isMarked = ({ id }: Earning) => isAbout(ticket, 'chargeback', id.slice(MOVEMENT.length));
  const lines = data?.filter(isEarning).filter((line, index) => index < EARNINGS_MAX || isMarked(line));
  const titleOf = ({ kind, facts: { sourceName, subject } }: Earning) =>
    [sourceName ?? t(`tickets.record.kinds.${kind}`), kind === 'earning' ? subject : null]
      .filter((part) => part !== null && part !== undefined && part !== '')
      .join(': ');
  return (
    <>
      <h3>{t('tickets.record.earnings')}</h3>
      {lines?.length === 0 && <p className="dim">{t('tickets.record.none')}</p>}
      <ul>
        {lines?.map((line) => (
          <Row
            key={line.id}
            isMarked={isMarked(line)}
            title={titleOf(line)}
            amount={line.amount ?? '0'}
            note={formatTime(line.at, i18n.language)}
          />
        ))}
      </ul>
    </>
  );
}

function Others({ member }: { member: AccountRecord }) {
  const { t } = useTranslation();
  const { data: tickets } = useFirstRow<OperatorTicket>(readTicketQueue, { q: member.id }, POLL_MS);
  const count = tickets?.totalCount;
  return (
    <>
      <h3>{t('tickets.record.others')}</h3>
      <FactList>
        <Fact label={t('tickets.record.tickets')}>
          {count !== undefined && (
            <Link
              to="/management-panel-x7k9w/support"
              search={{ status: 'all', q: member.id } as never}
              className="link"
            >
              {t('tickets.count', { count })}
            </Link>
          )}
        </Fact>
        <Fact label={t('tickets.record.suspensions')}>
          {member.suspensions.length === 0
            ? t('tickets.totals.none')
            : t('tickets.count', { count: member.suspensions.length })}
        </Fact>
        <Fact label={t('tickets.record.phone')}>
          {t(member.phone === null ? 'tickets.record.unverified' : 'tickets.record.verified')}
        </Fact>
      </FactList>
    </>
  );
}
