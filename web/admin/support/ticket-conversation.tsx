import { Fragment, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message } from '#contract/message.ts';
import type { OperatorTicket } from '#contract/support.ts';
import { formatSpan, formatTime } from '#web/client/format.ts';
import { type TicketLine, type TicketLines, ticketLinesOf } from '#web/client/ticket-lines.ts';
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
  const lines = useMemo(() => linesIn(ticket, messages), [ticket, messages]);
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
        <Lines lines={lines.get(QUESTION)} ticket={ticket} />
        {count === MESSAGES_MAX && (
          <li className={styles.event}>{t('tickets.sheet.newestMessages', { count: MESSAGES_MAX })}</li>
        )}
        {messages?.map(({ id, message, isFromAdmin, user, createdAt }) => (
          <Fragment key={id}>
            <Bubble name={user.firstName} text={message} at={createdAt} isOurs={isFromAdmin} />
            <Lines lines={lines.get(id)} ticket={ticket} />
          </Fragment>
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

const QUESTION = 'question';

/** The lines between the question and the messages. */
function linesIn(ticket: OperatorTicket, messages: readonly Message[] | undefined): TicketLines {
  if (messages === undefined) return new Map();
  const isWhole = messages.length < MESSAGES_MAX;
  const asked = { id: QUESTION, createdAt: ticket.createdAt, isFromAdmin: false };
  return ticketLinesOf(ticket, isWhole ? [asked, ...messages] : messages, isWhole);
}

type LinesProps = { lines: readonly TicketLine[] | undefined; ticket: OperatorTicket };

/** What happened after a message. */
function Lines({ lines = [], ticket }: LinesProps) {
  const { t, i18n } = useTranslation();
  const time = (iso: string) => formatTime(iso, i18n.language);
  const textOf = ({ kind, at, answerBy }: TicketLine): string => {
    if (kind === 'answered') {
      const span = formatSpan(Date.parse(at) - Date.parse(ticket.createdAt), i18n.language);
      return t('tickets.sheet.events.answered', { span });
    }
    if (at === null) return t(`tickets.choices.status.${ticket.status}`);
    if (answerBy === null) return t(`tickets.sheet.events.${kind}`, { at: time(at) });
    const manner = kind === 'reopened' ? 'reopenedPromised' : 'asked';
    return t(`tickets.sheet.events.${manner}`, { at: time(at), time: time(answerBy) });
  };
  return lines.map((line) => (
    <li key={`${line.kind} ${line.at}`} className={styles.event}>
      {textOf(line)}
    </li>
  ));
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
