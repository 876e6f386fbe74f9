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
import { SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { useFaults } from '#web/admin/kit/use-faults.ts';
import { useNextRow } from '#web/admin/kit/use-next-row.ts';
import { useSheetKey } from '#web/admin/kit/use-sheet-key.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { CannedReplies, FillNote } from './canned-replies.tsx';
import type { Drafts } from './drafts.ts';
import { AnsweringLine, FasterNote } from './others-note.tsx';
import styles from './ticket-sheet.module.css';
import { useFaster } from './use-answering.ts';
import { useConversation } from './use-conversation.ts';
import { useResponse } from './use-response.ts';
import { RESPONSE_MAX, useTicketActs } from './use-ticket-acts.ts';

/** The states that an operator can set here. */
const settable = ['open', 'in_progress', 'resolved'] as const;

const FIELD_ID = 'ticket-response';

type TicketFootProps = {
  ticket: OperatorTicket;
  position: SheetPosition<OperatorTicket>;
  drafts: Drafts;
};

/** The response with the next state, or the state alone. R goes to the field, Ctrl Enter sends. */
export function TicketFoot({ ticket, position, drafts }: TicketFootProps) {
  const { t } = useTranslation();
  const { data: messages } = useConversation(ticket);
  const { ref, faults, show, clear } = useFaults<'response', HTMLDivElement>();
  const calls = { respond: respondToTicket, change: changeTicketStatus };
  const acts = useTicketActs(ticket, calls, messages, (fault) => show({ response: fault }));
  const { response, text, used, gaps, write, add } = useResponse(ticket, drafts);
  const [status, setStatus] = useState<TicketStatus>(stateAfterResponse(ticket.status));
  const { remember } = useNextRow(position, acts.hasResponded);
  const found = useFaster(ticket);
  const faster = text === '' ? undefined : found;

  const respond = () => {
    if (acts.isResponding || acts.isChanging) return;
    if (text === '') return show({ response: t('tickets.sheet.required') });
    if (gaps.length > 0) return;
    remember();
    acts.respondAndSet(text, status, () => drafts.delete(ticket.id));
  };
  useResponseKeys(respond);
  const ownAct = position.following === undefined ? 'respond' : 'respondNext';

  return (
    <SheetFoot
      fine={t('tickets.sheet.fine')}
      fields={
        <div ref={ref} className={styles.fields}>
          <CannedReplies
            ticket={ticket}
            onChoose={(filled) => {
              add(filled);
              clear();
            }}
          />
          <ResponseField
            response={response}
            error={faults.response}
            onResponse={(given) => {
              write(given);
              clear();
            }}
          />
          <AnsweringLine ticket={ticket} />
          <FasterNote faster={faster} />
          <FillNote used={used} gaps={gaps} />
          <StatusChoice status={status} onStatus={setStatus} />
        </div>
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
        disabled={acts.isChanging || gaps.length > 0}
        loading={acts.isResponding}
        onClick={respond}
      >
        {t(`tickets.sheet.${faster === undefined ? ownAct : 'respondAgain'}`)}
      </Button>
    </SheetFoot>
  );
}

const stateAfterResponse = (status: TicketStatus): TicketStatus =>
  status === 'resolved' || status === 'closed' ? 'resolved' : 'in_progress';

function useResponseKeys(respond: () => void): void {
  const { t } = useTranslation();
  useSheetKey(
    { hotkey: 'R', act: () => document.getElementById(FIELD_ID)?.focus() },
    { label: t('tickets.keys.response'), caps: ['R'], isOnStrip: true },
  );
  useSheetKey(
    {
      hotkey: 'mod+Enter',
      isWhileTyping: true,
      act: ({ target }) => target instanceof HTMLElement && target.id === FIELD_ID && respond(),
    },
    { label: t('tickets.keys.send'), caps: ['Ctrl', 'Enter'] },
  );
}

type ResponseFieldProps = {
  response: string;
  error: string | undefined;
  onResponse: (text: string) => void;
};

function ResponseField({ response, error, onResponse }: ResponseFieldProps) {
  const { t } = useTranslation();
  return (
    <Textarea
      id={FIELD_ID}
      label={<FieldLabel text={t('tickets.sheet.response')} help={t('tickets.sheet.help')} />}
      value={response}
      maxLength={RESPONSE_MAX}
      autosize
      minRows={3}
      maxRows={8}
      error={fieldError(error)}
      onChange={(event) => onResponse(event.currentTarget.value)}
    />
  );
}

type StatusChoiceProps = { status: TicketStatus; onStatus: (status: TicketStatus) => void };

function StatusChoice({ status, onStatus }: StatusChoiceProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      fullWidth
      aria-label={t('tickets.sheet.status')}
      value={status}
      data={settable.map((value) => ({ value, label: t(`tickets.choices.status.${value}`) }))}
      onChange={(value) => onStatus(value as TicketStatus)}
    />
  );
}
