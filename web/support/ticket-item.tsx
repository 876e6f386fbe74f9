import { useTranslation } from 'react-i18next';
import type { Ticket } from '#contract/support.ts';
import { formatDay } from '#web/client/format.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { ANSWER_SHOWN, MESSAGE_SHOWN, previewOf } from './preview.ts';
import styles from './support-tab.module.css';
import { TicketBadge } from './ticket-badge.tsx';

/** The id of a request's row in the document, to which the focus comes back. */
export const rowIdOf = (ticketId: string): string => `ticket-${ticketId}`;

type TicketItemProps = { ticket: Ticket; unread: number; onOpen: () => void };

/** A request in the list: its subject and state, the beginning of it and of the answer. It opens the conversation. */
export function TicketItem({ ticket, unread, onOpen }: TicketItemProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { id, subject, message, status, adminResponse, createdAt } = ticket;
  return (
    <li>
      <button type="button" id={rowIdOf(id)} className={styles.ticket} onClick={onOpen}>
        <span className={styles.subject}>
          {unread > 0 && (
            <span className={styles.unread}>
              <span className="visually-hidden">{t('support.unread', { count: unread })} </span>
            </span>
          )}
          <span dir="auto">{subject}</span>
        </span>
        <TicketBadge status={status} />
        <span className={styles.text} dir="auto">
          {previewOf(message, MESSAGE_SHOWN)}
        </span>
        {adminResponse !== null && (
          <span className={styles.text} data-answer dir="auto">
            {t('support.answer', { text: previewOf(adminResponse, ANSWER_SHOWN) })}
          </span>
        )}
        <time className={`num ${styles.day}`} dateTime={createdAt}>
          {formatDay(createdAt, language)}
        </time>
      </button>
    </li>
  );
}
