import { type Icon, IconCheck, IconCircleDashed, IconClock, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Ticket } from '#contract/support.ts';
import { type BadgeTone, StatusBadge } from '#web/ui/status-badge.tsx';
import { ANSWER_SHOWN, MESSAGE_SHOWN, previewOf } from './preview.ts';
import styles from './support-tab.module.css';

const badges: Record<string, { tone: BadgeTone; icon: Icon }> = {
  open: { tone: 'wait', icon: IconCircleDashed },
  in_progress: { tone: 'wait', icon: IconClock },
  resolved: { tone: 'plain', icon: IconCheck },
  closed: { tone: 'plain', icon: IconX },
};
const pending = { tone: 'wait', icon: IconClock } as const;

/** The beginning of an answer, and all of it on request. */
function Answer({ text }: { text: string }) {
  const { t } = useTranslation();
  const preview = previewOf(text, ANSWER_SHOWN);
  if (preview === text)
    return (
      <p className={styles.text} data-answer dir="auto">
        {t('support.answer', { text })}
      </p>
    );
  return (
    <details className={styles.text} data-answer dir="auto">
      <summary>{t('support.answer', { text: preview })}</summary>
      {text}
    </details>
  );
}

/** A request in the list: its subject and state, the beginning of it and of the answer. */
export function TicketItem({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation();
  const { subject, message, status, adminResponse } = ticket;
  // A state that a later server may have is shown as pending.
  const { tone, icon } = badges[status] ?? pending;
  const word = status in badges ? status : 'pending';
  return (
    <li className={styles.ticket}>
      <p className={styles.subject} dir="auto">
        {subject}
      </p>
      <StatusBadge tone={tone} icon={icon}>
        {t(`support.status.${word}`)}
      </StatusBadge>
      <p className={styles.text} dir="auto">
        {previewOf(message, MESSAGE_SHOWN)}
      </p>
      {adminResponse !== null && <Answer text={adminResponse} />}
    </li>
  );
}
