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
import { useNextRow } from '#web/admin/kit/use-next-row.ts';
import { useSheetKey } from '#web/admin/kit/use-sheet-key.ts';
import { useOwnTyping } from '#web/chat/use-typing.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { CannedReplies, FillNote } from './canned-replies.tsx';
import { type Filled, gapsIn } from './fill-reply.ts';
import { AnsweringLine, FasterNote } from './others-note.tsx';
import styles from './ticket-sheet.module.css';
import type { Drafts } from './tickets-tab.tsx';
import { useFaster } from './use-answering.ts';
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
  const acts = useTicketActs(ticket, { respond: respondToTicket, change: changeTicketStatus });
  const [response, setResponse] = useState(drafts.get(ticket.id) ?? '');
  const [isMissing, setMissing] = useState(false);
  const [status, setStatus] = useState<TicketStatus>(stateAfterResponse(ticket.status));
  const { remember } = useNextRow(position, acts.hasResponded);

  /** What the last canned reply took from the records. */
  const [used, setUsed] = useState<Filled['used']>([]);
  const gaps = gapsIn(response);
  const faster = useFaster(ticket);
  const isOvertaken = faster !== undefined && response.trim() !== '';
  const typing = useOwnTyping(ticket.channelId);

  const write = (text: string) => {
    setResponse(text);
    drafts.set(ticket.id, text);
    setMissing(false);
    if (text.trim() === '') typing.stop();
    else typing.type();
  };
  const respond = () => {
    if (acts.isResponding || acts.isChanging) return;
    setMissing(response.trim() === '');
    if (response.trim() === '' || gaps.length > 0) return;
    remember();
    acts.respondAndSet(response.trim(), status, () => drafts.delete(ticket.id));
  };
  useResponseKeys(respond);

  return (
    <SheetFoot
      fine={t('tickets.sheet.fine')}
      fields={
        <div className={styles.fields}>
          <CannedReplies
            ticket={ticket}
            onChoose={(filled) => {
              // What was written before stays above it.
              write([response.trim(), filled.text].filter((text) => text !== '').join('\n\n'));
              setUsed(filled.used);
            }}
          />
          <ResponseField response={response} isMissing={isMissing} onResponse={write} />
          <AnsweringLine ticket={ticket} />
          {isOvertaken && <FasterNote faster={faster} />}
          <FillNote used={response.trim() === '' ? [] : used} gaps={gaps} />
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
        {t(
          `tickets.sheet.${isOvertaken ? 'respondAgain' : position.following === undefined ? 'respond' : 'respondNext'}`,
        )}
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

type ResponseFieldProps = { response: string; isMissing: boolean; onResponse: (text: string) => void };

function ResponseField({ response, isMissing, onResponse }: ResponseFieldProps) {
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
      error={fieldError(isMissing ? t('tickets.sheet.required') : null)}
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
