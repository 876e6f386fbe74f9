import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Amount } from '#web/ui/amount.tsx';
import { useRailWords } from '#web/ui/rails.ts';
import type { RequestRecord } from './request-record.ts';
import styles from './ticket-conversation.module.css';
import { useRecords } from './use-records.ts';

type TicketRecordProps = { kind: RequestRecord['kind']; id: string };

const pages = { withdrawal: '/withdrawal', chargeback: '/chargeback-history' } as const;

/** The record that a request is about, with the way to it. Of one that is older than the newest, only its kind. */
export function TicketRecord({ kind, id }: TicketRecordProps) {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  const found = useRecords(kind).records?.find(({ record }) => record.id === id);
  if (found === undefined) return <p className={styles.kind}>{t(`support.conversation.about.${kind}`)}</p>;
  const title =
    found.record.kind === 'withdrawal'
      ? t('support.conversation.withdrawal', { method: nameOf(found.record.entry.method) })
      : found.title;
  return (
    <div className={styles.record}>
      <p>
        <b>{title}</b>
        <small>
          {found.note} ·{' '}
          <Link to={pages[kind]} className="link">
            {t('support.conversation.see')}
          </Link>
        </small>
      </p>
      <Amount points={found.points} signed />
    </div>
  );
}
