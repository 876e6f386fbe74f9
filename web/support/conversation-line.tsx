import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Ticket } from '#contract/support.ts';
import { formatSpan } from '#web/client/format.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { EMPHASIS, Emphasised } from '#web/ui/emphasised.tsx';
import { currentLineOf, type LineKind } from './conversation-lines.ts';
import styles from './ticket-conversation.module.css';
import { usePromisedTime } from './use-promised-time.ts';

type LineProps = { kind: LineKind; ticket: Ticket };

function LineText({ kind, ticket: { answerBy, answeredAt, createdAt } }: LineProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const timeOf = usePromisedTime();
  if (kind === 'promised' && answerBy !== null)
    return (
      <Emphasised text={t('support.conversation.promised', { time: EMPHASIS })} part={timeOf(answerBy)} />
    );
  if (kind === 'answered' && answeredAt !== null) {
    const span = formatSpan(Date.parse(answeredAt) - Date.parse(createdAt), language);
    return t('support.conversation.answered', { span });
  }
  return kind === 'resolved' || kind === 'closed' ? t(`support.conversation.${kind}`) : null;
}

/** Stands between the messages. */
export function ConversationLine({ kind, ticket }: LineProps) {
  const Icon = kind === 'promised' ? IconClock : IconCircleCheck;
  return (
    <p className={styles.line}>
      <Icon size={16} stroke={1.75} aria-hidden="true" />
      <LineText kind={kind} ticket={ticket} />
    </p>
  );
}

/** Under the head, that we are late. Screen readers hear every state here when it changes. */
export function ConversationState({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation();
  const current = currentLineOf(ticket);
  return (
    <div role="status">
      {ticket.isLate ? (
        <p className={styles.late}>
          <IconAlertTriangle size={18} stroke={1.75} aria-hidden="true" />
          <span>{t('support.conversation.late')}</span>
        </p>
      ) : (
        current !== null && (
          <p className="visually-hidden">
            <LineText kind={current} ticket={ticket} />
          </p>
        )
      )}
    </div>
  );
}
