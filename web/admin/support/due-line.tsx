import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { OperatorTicket } from '#contract/support.ts';
import styles from './desk.module.css';
import { formatSpan, timeLeftOf } from './time-left.ts';

const icons = { late: IconAlertTriangle, near: IconClock, due: IconClock };

/** How much time is left of the promise to answer, or that nobody waits. */
export function DueLine({ ticket }: { ticket: OperatorTicket }) {
  const { t, i18n } = useTranslation();
  const left = timeLeftOf(ticket, new Date());
  const Sign = left === undefined ? IconCheck : icons[left.state];
  const manner = left?.state === 'late' ? (left.minutes === 0 ? 'lateNow' : 'late') : 'left';
  return (
    <span className={styles.due} data-state={left?.state}>
      <Sign size={14} stroke={2} aria-hidden="true" />
      {left === undefined
        ? t('tickets.due.none')
        : t(`tickets.due.${manner}`, { span: formatSpan(left.minutes, i18n.language) })}
    </span>
  );
}
