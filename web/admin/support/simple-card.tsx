import { Button, Textarea } from '@mantine/core';
import { IconTools } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message } from '#contract/message.ts';
import { changeSimpleTicketStatus, type OperatorTicket, resolveTicket } from '#contract/support.ts';
import { useFaults } from '#web/admin/kit/use-faults.ts';
import { formatPoints, formatTime } from '#web/client/format.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { CannedReplies, FillNote } from './canned-replies.tsx';
import styles from './desk.module.css';
import type { Drafts } from './drafts.ts';
import { DueLine } from './due-line.tsx';
import { FasterNote } from './others-note.tsx';
import { CardBadges } from './ticket-badges.tsx';
import { useFaster } from './use-answering.ts';
import { useConversation } from './use-conversation.ts';
import { useResponse } from './use-response.ts';
import { RESPONSE_MAX, useTicketActs } from './use-ticket-acts.ts';

type SimpleCardProps = { ticket: OperatorTicket; drafts: Drafts };

/**
 * One ticket: its question, then a response, which resolves it, under what else the member wrote; a solved one has its
 * response and can be reopened.
 */
export function SimpleCard({ ticket, drafts }: SimpleCardProps) {
  const { t, i18n } = useTranslation();
  const id = useId();
  const faster = useFaster(ticket);
  const hasDraft = (drafts.get(ticket.id) ?? '').trim() !== '';
  const isSolved = ticket.status === 'resolved' || ticket.status === 'closed';
  return (
    <article className={`card ${styles.card}`} aria-labelledby={id}>
      <header>
        <h2 id={id} dir="auto">
          {ticket.subject}
        </h2>
        <span className={styles.cardBadges}>
          <CardBadges ticket={ticket} />
        </span>
      </header>
      <p className={styles.cardNote}>
        <Link to="/management-panel-x7k9w/users/member" search={{ id: ticket.userId }} className="link">
          {ticket.userName} · {ticket.userEmail}
        </Link>
        {ticket.category !== null && ` · ${t(`tickets.categories.${ticket.category}`)}`} ·{' '}
        {formatTime(ticket.createdAt, i18n.language)}
        {ticket.answerBy !== null && (
          <>
            {' · '}
            <DueLine ticket={ticket} />
          </>
        )}
      </p>
      <p className={styles.text} dir="auto">
        {ticket.message}
      </p>
      {ticket.adminResponse !== null && <Response text={ticket.adminResponse} />}
      {ticket.adminResponse !== null && ticket.answerBy !== null && <WroteAgain id={ticket.id} />}
      {hasDraft && <FasterNote faster={faster} />}
      {isSolved ? <Reopen ticket={ticket} /> : <Respond ticket={ticket} drafts={drafts} />}
    </article>
  );
}

/** The name of operators in tickets, which members read in every language. */
const OPERATORS_NAME = 'Admin';

function Response({ text }: { text: string }) {
  return (
    <div className={styles.given}>
      <IconTools size={20} stroke={1.75} aria-hidden="true" />
      <p dir="auto">
        <b>{OPERATORS_NAME}</b> {text}
      </p>
    </div>
  );
}

/** The card shows the question and the last response, so what the member wrote after it is read elsewhere. */
function WroteAgain({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <p className={styles.fine}>
      {t('tickets.simple.wroteAgain')}{' '}
      <Link to="/management-panel-x7k9w/support" search={{ open: id } as never} className="link">
        {t('tickets.simple.conversation')}
      </Link>
    </p>
  );
}

/** The two acts of this view on a ticket, at the calls of this view. */
const useSimpleActs = (
  ticket: OperatorTicket,
  messages?: readonly Message[],
  onFault: (text: string) => void = () => undefined,
) => useTicketActs(ticket, { respond: resolveTicket, change: changeSimpleTicketStatus }, messages, onFault);

function Reopen({ ticket }: { ticket: OperatorTicket }) {
  const { t } = useTranslation();
  const acts = useSimpleActs(ticket);
  return (
    <div className={styles.buttons}>
      <Button variant="default" loading={acts.isChanging} onClick={() => acts.change('open')}>
        {t('tickets.simple.reopen')}
      </Button>
    </div>
  );
}

function Respond({ ticket, drafts }: SimpleCardProps) {
  const { t } = useTranslation();
  const { response, text, used, gaps, write, add } = useResponse(ticket, drafts);
  const { data: messages } = useConversation(ticket, text !== '');
  const { ref, faults, show, clear } = useFaults<'response', HTMLDivElement>();
  const acts = useSimpleActs(ticket, messages, (fault) => show({ response: fault }));
  const length = t('tickets.length', {
    count: formatPoints([...response].length),
    max: formatPoints(RESPONSE_MAX),
  });
  const answeredAt = messages?.findLastIndex(({ isFromAdmin }) => isFromAdmin) ?? 0;
  return (
    <>
      {messages?.slice(answeredAt + 1).map(({ id, message }) => (
        <p key={id} className={styles.text} dir="auto">
          {message}
        </p>
      ))}
      <CannedReplies
        ticket={ticket}
        onChoose={(filled) => {
          add(filled);
          clear();
        }}
      />
      <div ref={ref}>
        <Textarea
          label={
            <FieldLabel text={t('tickets.sheet.response')} help={<span className="num">{length}</span>} />
          }
          value={response}
          maxLength={RESPONSE_MAX}
          autosize
          minRows={3}
          maxRows={10}
          error={fieldError(faults.response)}
          onChange={(event) => {
            write(event.currentTarget.value);
            clear();
          }}
        />
      </div>
      <FillNote used={used} gaps={gaps} />
      <div className={styles.buttons}>
        <Button
          disabled={text === '' || gaps.length > 0 || acts.isChanging}
          loading={acts.isResponding}
          onClick={() => acts.respond(text, () => write(''))}
        >
          {t('tickets.simple.respond')}
        </Button>
        <Button
          variant="default"
          disabled={acts.isResponding}
          loading={acts.isChanging}
          onClick={() => acts.change('resolved')}
        >
          {t('tickets.simple.resolve')}
        </Button>
        <span className={styles.fine}>{t('tickets.simple.fine')}</span>
      </div>
    </>
  );
}
