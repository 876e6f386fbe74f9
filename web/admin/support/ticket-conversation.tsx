import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperatorTicket } from '#contract/support.ts';
import { formatTime } from '#web/client/format.ts';
import { useMemberRecord } from './member-record.tsx';
import styles from './ticket-conversation.module.css';
import { MESSAGES_MAX, useConversation } from './use-conversation.ts';

/** The question and what was written about it since, oldest first. It opens at the newest message. */
export function TicketConversation({ ticket }: { ticket: OperatorTicket }) {
  const { t } = useTranslation();
  const { data: member } = useMemberRecord(ticket.userId);
  const { data: messages, isError } = useConversation(ticket);
  const scroller = useRef<HTMLElement>(null);
  const count = messages?.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of messages has another end.
  useEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [count]);
  return (
    <section
      ref={scroller}
      className={styles.conversation}
      aria-label={t('tickets.sheet.conversation')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls can be reached by the keyboard.
      tabIndex={0}
    >
      <ul>
        <Bubble name={member?.firstName ?? ticket.userEmail} text={ticket.message} at={ticket.createdAt} />
        {count === MESSAGES_MAX && (
          <li className={styles.event}>{t('tickets.sheet.newestMessages', { count: MESSAGES_MAX })}</li>
        )}
        {messages?.map(({ id, message, isFromAdmin, user, createdAt }) => (
          <Bubble key={id} name={user.firstName} text={message} at={createdAt} isOurs={isFromAdmin} />
        ))}
        {isError && <li className={styles.event}>{t('tickets.sheet.messagesFailed')}</li>}
        {messages === undefined && !isError && (
          <li className={styles.event}>{t('tickets.sheet.messagesLoading')}</li>
        )}
        {count === 0 && ticket.adminResponse === null && (
          <li className={styles.event}>{t('tickets.sheet.noResponse')}</li>
        )}
      </ul>
    </section>
  );
}

type BubbleProps = { name: string; text: string; at: string; isOurs?: boolean };

/** The member's words are left, the operators' right. */
function Bubble({ name, text, at, isOurs = false }: BubbleProps) {
  const { i18n } = useTranslation();
  return (
    <li className={isOurs ? styles.ours : styles.theirs}>
      <p className={styles.writer}>
        <b>{name}</b> {formatTime(at, i18n.language)}
      </p>
      <p className={styles.bubble} dir="auto">
        {text}
      </p>
    </li>
  );
}
