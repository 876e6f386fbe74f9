import { useTranslation } from 'react-i18next';
import { readMessages } from '#contract/chat.ts';
import type { OperatorTicket } from '#contract/support.ts';
import { formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import styles from './ticket-conversation.module.css';

const POLL_MS = 5_000;
/** The server answers with so many at most. */
const MESSAGES_MAX = 100;

/** What was written about a ticket after the question, oldest first. */
export function TicketConversation({ ticket }: { ticket: OperatorTicket }) {
  const { t, i18n } = useTranslation();
  const { data: messages, isError } = useRead(
    readMessages,
    { params: { channelId: ticket.channelId }, query: { limit: String(MESSAGES_MAX) } },
    { refetchInterval: POLL_MS },
  );
  if (isError) return <p className="dim">{t('tickets.sheet.messagesFailed')}</p>;
  if (messages === undefined) return <p className="dim">{t('tickets.sheet.messagesLoading')}</p>;
  if (messages.length === 0) return <p className="dim">{t('tickets.sheet.noResponse')}</p>;
  return (
    <ul className={styles.messages}>
      {messages.length === MESSAGES_MAX && (
        <li className="dim">{t('tickets.sheet.newestMessages', { count: MESSAGES_MAX })}</li>
      )}
      {messages.map(({ id, message, isFromAdmin, user, createdAt }) => (
        <li key={id} className={isFromAdmin ? styles.response : styles.followUp}>
          <p className={styles.writer}>
            {isFromAdmin ? t('tickets.sheet.operator') : user.firstName}
            <span className="dim"> {formatTime(createdAt, i18n.language)}</span>
          </p>
          <p dir="auto">{message}</p>
        </li>
      ))}
    </ul>
  );
}
