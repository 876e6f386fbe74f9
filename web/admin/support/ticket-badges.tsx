import { IconArchive, IconCheck, IconClock, IconMessageCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { OperatorTicket, TicketPriority, TicketStatus } from '#contract/support.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const looks = {
  open: { tone: 'wait', icon: IconMessageCircle },
  in_progress: { tone: 'wait', icon: IconClock },
  resolved: { tone: 'ok', icon: IconCheck },
  closed: { tone: 'plain', icon: IconArchive },
} as const;

export function TicketBadge({ status }: { status: TicketStatus }) {
  const { t } = useTranslation();
  return <StatusBadge {...looks[status]}>{t(`tickets.choices.status.${status}`)}</StatusBadge>;
}

const tones = { urgent: 'blocked', high: 'warn' } as const;

/** The priority of a ticket. Only urgent and high ones have a badge. */
export function Priority({ priority }: { priority: TicketPriority }) {
  const { t } = useTranslation();
  const word = t(`tickets.choices.priority.${priority}`);
  if (priority === 'medium' || priority === 'low') return <span>{word}</span>;
  return <StatusBadge tone={tones[priority]}>{word}</StatusBadge>;
}

const isPressing = ({ priority }: OperatorTicket) => priority === 'urgent' || priority === 'high';

/** Whether a card names the priority or the state: an open ticket of usual priority needs neither. */
export const hasCardBadges = (ticket: OperatorTicket) => isPressing(ticket) || ticket.status !== 'open';

/** The badges of a ticket on a phone. */
export function CardBadges({ ticket }: { ticket: OperatorTicket }) {
  return (
    <>
      {isPressing(ticket) && <Priority priority={ticket.priority} />}
      {ticket.status !== 'open' && <TicketBadge status={ticket.status} />}
    </>
  );
}
