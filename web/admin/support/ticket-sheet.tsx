import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import type { OperatorTicket, TicketCategory } from '#contract/support.ts';
import type { SheetPosition } from '#web/admin/kit/list-screen.ts';
import { formatAmount, formatTime } from '#web/client/format.ts';
import type { Drafts } from './drafts.ts';
import { MemberRecord, useMemberRecord, useMemberWithdrawals } from './member-record.tsx';
import { Priority, TicketBadge } from './ticket-badges.tsx';
import { TicketConversation } from './ticket-conversation.tsx';
import { TicketFoot } from './ticket-foot.tsx';
import styles from './ticket-sheet.module.css';

type TicketSheetProps = {
  ticket: OperatorTicket;
  position: SheetPosition<OperatorTicket>;
  drafts: Drafts;
};

/** One ticket: the conversation with a field for the response, and the member's record beside it or below. */
export function TicketSheet(props: TicketSheetProps) {
  const { ticket } = props;
  return (
    <div className={styles.desk}>
      <div className={styles.talk}>
        <TicketHead ticket={ticket} />
        <TicketConversation ticket={ticket} />
        <TicketFoot {...props} />
      </div>
      <MemberRecord ticket={ticket} />
    </div>
  );
}

/** The withdrawal that the ticket is about. */
function useSubject({ userId, subjectKind, subjectId }: OperatorTicket) {
  const isAboutOne = subjectKind === 'withdrawal';
  const withdrawals = useMemberWithdrawals(userId, isAboutOne);
  return isAboutOne ? withdrawals?.find(({ id }) => id === subjectId) : undefined;
}

/** What it is about, from whom, and until when an answer is promised. */
function TicketHead({ ticket }: { ticket: OperatorTicket }) {
  const { t, i18n } = useTranslation();
  const { data: member } = useMemberRecord(ticket.userId);
  const time = (iso: string) => formatTime(iso, i18n.language);
  const promise =
    ticket.answerBy === null
      ? t('tickets.sheet.asked', { time: time(ticket.createdAt) })
      : t(ticket.isLate ? 'tickets.sheet.wasDue' : 'tickets.sheet.promised', { time: time(ticket.answerBy) });
  const withdrawal = useSubject(ticket);
  const category = (key: TicketCategory) =>
    [
      t(`tickets.categories.${key}`),
      ...(withdrawal === undefined ? [] : [formatAmount(withdrawal.amount)]),
    ].join(' ');
  const about = [
    ...(member === undefined ? [] : [t(`tickets.languages.${member.language}`)]),
    ...(ticket.category === null ? [] : [category(ticket.category)]),
    promise,
  ];
  return (
    <header className={styles.about}>
      <div>
        <h3 dir="auto">{ticket.subject}</h3>
        <TicketBadge status={ticket.status} />
        <Priority priority={ticket.priority} />
      </div>
      <p>
        <Link to="/management-panel-x7k9w/users/member" search={{ id: ticket.userId }} className="link">
          {member === undefined ? ticket.userEmail : fullNameOf(member)}
        </Link>
        {' · '}
        {about.join(' · ')}
      </p>
    </header>
  );
}
