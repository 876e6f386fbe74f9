import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Ticket } from '#contract/support.ts';
import { formatSpan, formatTime } from '#web/client/format.ts';
import { currentLineOf, type TicketLine } from '#web/client/ticket-lines.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { EMPHASIS, Emphasised } from '#web/ui/emphasised.tsx';
import styles from './ticket-conversation.module.css';
import { usePromisedTime } from './use-promised-time.ts';

type LineProps = { line: TicketLine; ticket: Ticket };

function LineText({ line: { kind, at, answerBy }, ticket }: LineProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const timeOf = usePromisedTime();
  if (kind === 'answered')
    return t('support.conversation.answered', {
      span: formatSpan(Date.parse(at) - Date.parse(ticket.createdAt), language),
    });
  const done = at === null ? undefined : formatTime(at, language);
  if (kind === 'resolved' || kind === 'closed') {
    const said =
      done === undefined
        ? t(`support.conversation.${kind}`)
        : t(`support.conversation.${kind}At`, { at: done });
    const isCurrent = ticket.status === kind && (at === null || at === ticket.events.at(-1)?.at);
    return isCurrent ? `${said} ${t('support.conversation.reopens')}` : said;
  }
  if (answerBy === null) return t('support.conversation.reopened', { at: done });
  const text =
    kind === 'asked'
      ? t('support.conversation.promised', { time: EMPHASIS })
      : t('support.conversation.reopenedPromised', { at: done, time: EMPHASIS });
  return <Emphasised text={text} part={timeOf(answerBy)} />;
}

const isEnd = ({ kind }: TicketLine) => kind === 'answered' || kind === 'resolved' || kind === 'closed';

/** Stands between the messages. */
export function ConversationLine(props: LineProps) {
  const Icon = isEnd(props.line) ? IconCircleCheck : IconClock;
  return (
    <p className={styles.line}>
      <Icon size={16} stroke={1.75} aria-hidden="true" />
      <LineText {...props} />
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
            <LineText line={current} ticket={ticket} />
          </p>
        )
      )}
    </div>
  );
}
