import { ActionIcon, Button } from '@mantine/core';
import { IconArrowLeft, IconCheck } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { resolveOwnTicket, type Ticket } from '#contract/support.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { ConversationState } from './conversation-line.tsx';
import { TicketBadge } from './ticket-badge.tsx';
import styles from './ticket-conversation.module.css';
import { TicketRecord } from './ticket-record.tsx';

/** Draws the messages of a request and the field for a reply, with a part between them. */
export type DrawTalk = (ticket: Ticket, between: ReactNode) => ReactNode;

type TicketConversationProps = {
  ticket: Ticket;
  /** Whether it takes the focus, because it was opened just now. */
  takesFocus: boolean;
  onBack: () => void;
  drawTalk: DrawTalk;
};

/** The conversation about a request, under its subject, its state and what the member may expect. */
export function TicketConversation({ ticket, takesFocus, onBack, drawTalk }: TicketConversationProps) {
  const { t } = useTranslation();
  const { id, subject, status, subjectKind, subjectId } = ticket;
  const heading = useRef<HTMLHeadingElement>(null);
  const isFocusWanted = useRef(takesFocus);
  useEffect(() => {
    if (isFocusWanted.current) heading.current?.focus({ preventScroll: true });
    isFocusWanted.current = false;
  }, []);
  const isDone = status === 'resolved' || status === 'closed';
  const wasDone = useRef(isDone);
  useEffect(() => {
    // The button that was pressed is gone with the news, which may come before the answer to its call.
    if (isDone && !wasDone.current && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
    wasDone.current = isDone;
  }, [isDone]);
  return (
    <>
      <div className={styles.head}>
        <ActionIcon aria-label={t('support.conversation.back')} onClick={onBack}>
          <IconArrowLeft size={20} stroke={1.75} />
        </ActionIcon>
        <div className={styles.title}>
          <h3 ref={heading} className={styles.subject} tabIndex={-1} dir="auto">
            {subject}
          </h3>
        </div>
        <TicketBadge status={status} />
        {subjectKind !== null && subjectId !== null && <TicketRecord kind={subjectKind} id={subjectId} />}
      </div>
      <ConversationState ticket={ticket} />
      {drawTalk(ticket, !isDone && <SolvedButton id={id} />)}
    </>
  );
}

/** Resolves the request. It is gone then. */
function SolvedButton({ id }: { id: string }) {
  const { t } = useTranslation();
  const resolving = useAct(resolveOwnTicket);
  const resolve = () =>
    resolving.mutate(
      { params: { id } },
      { onError: ({ code }) => toast.bad(t(`refusals.${code}`), t('support.conversation.solveFailed')) },
    );
  return (
    <div className={styles.act}>
      <Button
        size="sm"
        variant="default"
        leftSection={<IconCheck size={16} stroke={2} aria-hidden="true" />}
        loading={resolving.isPending}
        onClick={resolve}
      >
        {t('support.conversation.solve')}
      </Button>
    </div>
  );
}
