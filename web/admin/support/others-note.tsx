import { IconUserCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { OperatorTicket } from '#contract/support.ts';
import { formatTime } from '#web/client/format.ts';
import styles from './desk.module.css';
import { type Faster, useAnswering } from './use-answering.ts';

/** Who else writes now. A screen reader reads it when the field is described, because it comes and goes. */
export function AnsweringLine({ ticket }: { ticket: OperatorTicket }) {
  const { t } = useTranslation();
  const { operators, isMemberWriting } = useAnswering(ticket);
  const [name] = operators;
  if (name === undefined && !isMemberWriting) return null;
  return (
    <p className={styles.answering}>
      {name === undefined
        ? t('tickets.others.member')
        : t('tickets.others.answering', { name: operators.join(', ') })}
    </p>
  );
}

/** Another operator answered while this one wrote: who and when. Sending a second answer stays possible. */
export function FasterNote({ faster }: { faster: Faster | undefined }) {
  const { t, i18n } = useTranslation();
  if (faster === undefined) return null;
  return (
    <p className={styles.faster} role="alert">
      <IconUserCheck size={20} stroke={1.75} aria-hidden="true" />
      <span>
        <b>{t('tickets.others.faster', { name: faster.name, time: formatTime(faster.at, i18n.language) })}</b>{' '}
        {t('tickets.others.choice')}
      </span>
    </p>
  );
}
