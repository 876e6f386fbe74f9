import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  changeTicketStatus,
  type OperatorTicket,
  respondToTicket,
  type TicketStatus,
} from '#contract/support.ts';
import type { SheetPosition } from '#web/admin/kit/list-screen.ts';
import { Fact, FactList, SheetFacts, SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { useNextRow } from '#web/admin/kit/use-next-row.ts';
import { formatTime } from '#web/client/format.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { Priority, TicketBadge } from './ticket-badges.tsx';
import { TicketConversation } from './ticket-conversation.tsx';
import styles from './ticket-sheet.module.css';
import type { Drafts } from './tickets-tab.tsx';
import { RESPONSE_MAX, useTicketActs } from './use-ticket-acts.ts';

/** The states that an operator can set here. */
const settable = ['open', 'in_progress', 'resolved'] as const;

type TicketSheetProps = {
  ticket: OperatorTicket;
  position: SheetPosition<OperatorTicket>;
  /** The unsent responses by ticket. */
  drafts: Drafts;
};

/** One ticket: the member's question, the conversation about it, and a form for a response and the next state. */
export function TicketSheet(props: TicketSheetProps) {
  return (
    <>
      <TicketFacts ticket={props.ticket} />
      <Foot {...props} />
    </>
  );
}

function TicketFacts({ ticket }: { ticket: OperatorTicket }) {
  const { t, i18n } = useTranslation();
  return (
    <SheetFacts>
      <p className={styles.badges}>
        <TicketBadge status={ticket.status} />
        <Priority priority={ticket.priority} />
      </p>
      <p className={styles.subject}>{ticket.subject}</p>
      <p className={styles.contact}>{ticket.userEmail}</p>
      <p className={styles.message}>{ticket.message}</p>
      <h3>{t('tickets.sheet.conversation')}</h3>
      <TicketConversation ticket={ticket} />
      <FactList>
        <Fact label={t('tickets.sheet.asked')}>{formatTime(ticket.createdAt, i18n.language)}</Fact>
        <Fact label={t('tickets.sheet.member')}>{ticket.userId}</Fact>
        <Fact label={t('tickets.sheet.id')}>
          <span className="mono">{ticket.id}</span>
        </Fact>
      </FactList>
    </SheetFacts>
  );
}

function Foot({ ticket, position, drafts }: TicketSheetProps) {
  const { t } = useTranslation();
  const acts = useTicketActs(ticket, { respond: respondToTicket, change: changeTicketStatus });
  const [response, setResponse] = useState(drafts.get(ticket.id) ?? '');
  const [isMissing, setMissing] = useState(false);
  const [status, setStatus] = useState<TicketStatus>(stateAfterResponse(ticket.status));
  const { remember } = useNextRow(position, acts.hasResponded);

  const respond = () => {
    if (acts.isResponding || acts.isChanging) return;
    setMissing(response.trim() === '');
    if (response.trim() === '') return;
    remember();
    acts.respondAndSet(response.trim(), status, () => drafts.delete(ticket.id));
  };

  return (
    <SheetFoot
      fine={t('tickets.sheet.fine')}
      fields={
        <ResponseFields
          response={response}
          isMissing={isMissing}
          status={status}
          onResponse={(text) => {
            setResponse(text);
            drafts.set(ticket.id, text);
            setMissing(false);
          }}
          onStatus={setStatus}
        />
      }
    >
      <Button
        variant="default"
        disabled={status === ticket.status || acts.isResponding}
        loading={acts.isChanging}
        onClick={() => acts.change(status)}
      >
        {t('tickets.sheet.setStatus')}
      </Button>
      <Button
        className={styles.respond}
        disabled={acts.isChanging}
        loading={acts.isResponding}
        onClick={respond}
      >
        {t(position.following === undefined ? 'tickets.sheet.respond' : 'tickets.sheet.respondNext')}
      </Button>
    </SheetFoot>
  );
}

const stateAfterResponse = (status: TicketStatus): TicketStatus =>
  status === 'resolved' || status === 'closed' ? 'resolved' : 'in_progress';

type ResponseFieldsProps = {
  response: string;
  isMissing: boolean;
  status: TicketStatus;
  onResponse: (text: string) => void;
  onStatus: (status: TicketStatus) => void;
};

function ResponseFields({ response, isMissing, status, onResponse, onStatus }: ResponseFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.fields}>
      <Textarea
        label={<FieldLabel text={t('tickets.sheet.response')} help={t('tickets.sheet.help')} />}
        value={response}
        maxLength={RESPONSE_MAX}
        autosize
        minRows={3}
        maxRows={8}
        error={fieldError(isMissing ? t('tickets.sheet.required') : null)}
        onChange={(event) => onResponse(event.currentTarget.value)}
      />
      <SegmentedControl
        fullWidth
        aria-label={t('tickets.sheet.status')}
        value={status}
        data={settable.map((value) => ({ value, label: t(`tickets.choices.status.${value}`) }))}
        onChange={(value) => onStatus(value as TicketStatus)}
      />
    </div>
  );
}
