import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readTickets, type Ticket } from '#contract/support.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { RequestDialog } from './request-dialog.tsx';
import styles from './support-tab.module.css';
import { TicketItem } from './ticket-item.tsx';
import { useSeenAnswers } from './use-seen-answers.ts';

/** The line says at once that a request has an answer. This is for what a lost event left out. */
const POLL_MS = 10_000;

/** The member's support requests, newest first, and the button for a new one. */
export function SupportTab() {
  const { t } = useTranslation();
  useSeenAnswers();
  const [isAsking, setAsking] = useState(false);
  const tickets = useRead(readTickets, undefined, {
    refetchOnMount: 'always',
    refetchInterval: POLL_MS,
  });
  return (
    <>
      <div className={styles.head}>
        <Button
          size="sm"
          fullWidth
          leftSection={<IconPlus size={16} stroke={2} aria-hidden="true" />}
          onClick={() => setAsking(true)}
        >
          {t('support.new')}
        </Button>
      </div>
      <div className={styles.contents}>
        {tickets.isError ? (
          <ErrorState
            title={t('support.failed')}
            text={`${t('support.failedText')} ${t(`refusals.${tickets.error.code}`)}`}
            requestId={requestIdOf(tickets.error)}
            onRetry={() => void tickets.refetch()}
          />
        ) : (
          <Tickets tickets={tickets.data} />
        )}
      </div>
      <RequestDialog isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}

function Tickets({ tickets }: { tickets: readonly Ticket[] | undefined }) {
  const { t } = useTranslation();
  if (tickets === undefined) {
    return (
      <div className={styles.loading} aria-busy="true">
        <span className="visually-hidden">{t('support.loading')}</span>
        {[1, 2, 3].map((place) => (
          <i key={place} />
        ))}
      </div>
    );
  }
  if (tickets.length === 0)
    return <EmptyState title={t('support.empty.title')} text={t('support.empty.text')} />;
  return (
    <ul className={styles.list} aria-label={t('support.list')}>
      {tickets.map((ticket) => (
        <TicketItem key={ticket.id} ticket={ticket} />
      ))}
    </ul>
  );
}
