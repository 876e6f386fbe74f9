import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Ticket } from '#contract/support.ts';
import { formatSpan } from '#web/client/format.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { EMPHASIS, Emphasised } from '#web/ui/emphasised.tsx';
import styles from './ticket-conversation.module.css';
import { usePromisedTime } from './use-promised-time.ts';

/** What a member may expect of a request now: an answer, until when; or that we are late; or that it is done. */
export function PromiseLine({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const timeOf = usePromisedTime();
  const { status, answerBy, isLate, answeredAt, createdAt } = ticket;
  if (isLate) {
    return (
      <p className={styles.promise} data-late>
        <IconAlertTriangle size={18} stroke={1.75} aria-hidden="true" />
        <span>{t('support.conversation.late')}</span>
      </p>
    );
  }
  if (answerBy !== null) {
    return (
      <p className={styles.promise}>
        <IconClock size={18} stroke={1.75} aria-hidden="true" />
        <span>
          <Emphasised text={t('support.conversation.promised', { time: EMPHASIS })} part={timeOf(answerBy)} />
        </span>
      </p>
    );
  }
  if (status === 'resolved' || status === 'closed') {
    return (
      <p className={styles.promise}>
        <IconCircleCheck size={18} stroke={1.75} aria-hidden="true" />
        <span>{t(`support.conversation.${status}`)}</span>
      </p>
    );
  }
  if (answeredAt === null) return null;
  const span = formatSpan(Date.parse(answeredAt) - Date.parse(createdAt), language);
  return (
    <p className={styles.promise}>
      <IconCircleCheck size={18} stroke={1.75} aria-hidden="true" />
      <span>{t('support.conversation.answered', { span })}</span>
    </p>
  );
}
