import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readChannels } from '#contract/chat.ts';
import { readTickets, type Ticket } from '#contract/support.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { type DrawClaim, RequestDialog } from './request-dialog.tsx';
import styles from './support-tab.module.css';
import { type DrawTalk, TicketConversation } from './ticket-conversation.tsx';
import { rowIdOf, TicketItem } from './ticket-item.tsx';

/** The line says at once that a request has an answer. This is for what a lost event left out. */
const POLL_MS = 10_000;

type SupportTabProps = {
  /** The request whose conversation is open; null for the list. */
  openId: string | null;
  onOpen: (id: string | null) => void;
  drawTalk: DrawTalk;
  /** What the member claims about missing credits, and the form of a new claim. */
  claims: ReactNode;
  drawClaim: DrawClaim;
};

/** The member's support requests, newest first, and the button for a new one; or the conversation of one of them. */
export function SupportTab({ openId, onOpen, drawTalk, claims, drawClaim }: SupportTabProps) {
  const tickets = useRead(readTickets, undefined, {
    refetchOnMount: 'always',
    refetchInterval: POLL_MS,
  });
  const { isFresh, open, goBack } = usePlaces(openId, onOpen);
  const ticket = tickets.data?.find(({ id }) => id === openId);
  if (ticket === undefined)
    return <TicketList tickets={tickets} onOpen={open} claims={claims} drawClaim={drawClaim} />;
  return (
    <TicketConversation
      key={ticket.id}
      ticket={ticket}
      takesFocus={isFresh}
      onBack={goBack}
      drawTalk={drawTalk}
    />
  );
}

/** Opens a conversation with the focus in it, and goes back with the focus on its row. */
function usePlaces(openId: string | null, onOpen: (id: string | null) => void) {
  const [isFresh, setFresh] = useState(false);
  const leftId = useRef<string | null>(null);
  useEffect(() => {
    if (openId !== null || leftId.current === null) return;
    document.getElementById(rowIdOf(leftId.current))?.focus();
    leftId.current = null;
  }, [openId]);
  const open = (id: string) => {
    setFresh(true);
    onOpen(id);
  };
  const goBack = () => {
    leftId.current = openId;
    onOpen(null);
  };
  return { isFresh, open, goBack };
}

type TicketsRead = ReturnType<typeof useRead<typeof readTickets>>;

type TicketListProps = Pick<SupportTabProps, 'claims' | 'drawClaim'> & {
  tickets: TicketsRead;
  onOpen: (id: string) => void;
};

function TicketList({ tickets, onOpen, claims, drawClaim }: TicketListProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <div className={styles.head}>
        <Button
          size="sm"
          fullWidth
          leftSection={<IconPlus size={16} stroke={2} aria-hidden="true" />}
          onClick={() => setAsking(true)}
        >
          {t('support.new')}
        </Button>
      </div>
      <div className={styles.contents}>
        {claims}
        {tickets.isError ? (
          <ErrorState
            title={t('support.failed')}
            text={`${t('support.failedText')} ${t(`refusals.${tickets.error.code}`)}`}
            requestId={requestIdOf(tickets.error)}
            onRetry={() => void tickets.refetch()}
          />
        ) : (
          <Tickets tickets={tickets.data} onOpen={onOpen} />
        )}
      </div>
      <RequestDialog isOpen={isAsking} onClose={() => setAsking(false)} drawClaim={drawClaim} />
    </>
  );
}

type TicketsProps = { tickets: readonly Ticket[] | undefined; onOpen: (id: string) => void };

function Tickets({ tickets, onOpen }: TicketsProps) {
  const { t } = useTranslation();
  const channels = useRead(readChannels).data ?? [];
  if (tickets === undefined) {
    return (
      <div className={styles.loading} aria-busy="true">
        <span className="visually-hidden">{t('support.loading')}</span>
        {[1, 2, 3].map((place) => (
          <i key={place} />
        ))}
      </div>
    );
  }
  if (tickets.length === 0)
    return <EmptyState title={t('support.empty.title')} text={t('support.empty.text')} />;
  const unreadOf = ({ channelId }: Ticket) => channels.find(({ id }) => id === channelId)?.unread ?? 0;
  return (
    <ul className={styles.list} aria-label={t('support.list')}>
      {tickets.map((ticket) => (
        <TicketItem
          key={ticket.id}
          ticket={ticket}
          unread={unreadOf(ticket)}
          onOpen={() => onOpen(ticket.id)}
        />
      ))}
    </ul>
  );
}
