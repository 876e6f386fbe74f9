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
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './ticket-sheet.module.css';
import type { Drafts } from './tickets-tab.tsx';
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

  const write = (text: string) => {
    setResponse(text);
    drafts.set(ticket.id, text);
    setMissing(false);
  };
  const respond = () => {
    if (acts.isResponding || acts.isChanging) return;
    setMissing(response.trim() === '');
    if (response.trim() === '') return;
    remember();
    acts.respondAndSet(response.trim(), status, () => drafts.delete(ticket.id));
  };
  useResponseKeys(respond);

  return (
    <SheetFoot
      fine={t('tickets.sheet.fine')}
      fields={
        <ResponseFields
          response={response}
          isMissing={isMissing}
          status={status}
          onResponse={write}
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
