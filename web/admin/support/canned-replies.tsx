import { useDisclosure } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperatorTicket } from '#contract/support.ts';
import { type CannedReply, type ReplyPlaceholder, readReplies } from '#contract/support-replies.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { useRailWords } from '#web/ui/rails.ts';
import styles from './canned-replies.module.css';
import { type Filled, fillReply, type ReplyFacts, replyFactsOf } from './fill-reply.ts';
import { useMemberRecord, useMemberWithdrawals } from './member-record.tsx';
import { RepliesDialog } from './replies-dialog.tsx';

type Known = { facts: ReplyFacts; language: 'en' | 'ko' };

/** What replies to this ticket may name; undefined until it was read. */
function useReplyFacts({ userId }: OperatorTicket, isWatched: boolean) {
  const { data: member, isError } = useMemberRecord(userId, isWatched);
  const withdrawals = useMemberWithdrawals(userId, isWatched);
  const { data: site } = useSiteConfig();
  const { nameOf } = useRailWords();
  const knownOf = (): Known | undefined => {
    if (member === undefined || withdrawals === undefined || site === undefined) return undefined;
    const waiting = withdrawals.find(({ status }) => status === 'pending');
    const { processingTime, siteTimezone } = site;
    const method = waiting && nameOf(waiting.method);
    const facts = replyFactsOf({ member, waiting, method, processingTime, siteTimezone });
    return { facts, language: member.language };
  };
  return { known: knownOf(), isError };
}

/** Fills the chosen reply once the records were read, which nothing reads before: a page may have many tickets. */
function useChoice(ticket: OperatorTicket, onChoose: (filled: Filled) => void) {
  const [wanted, setWanted] = useState<CannedReply | null>(null);
  const [isWatched, setWatched] = useState(false);
  const { known, isError } = useReplyFacts(ticket, isWatched);
  const fill = ({ textEn, textKo }: CannedReply, { facts, language }: Known) =>
    onChoose(fillReply(language === 'ko' ? textKo : textEn, facts));
  useEffect(() => {
    if (wanted === null || known === undefined) return;
    setWanted(null);
    fill(wanted, known);
  });
  const choose = (reply: CannedReply) => {
    setWatched(true);
    setWanted(reply);
  };
  return { choose, isWaiting: wanted !== null, hasFailed: wanted !== null && isError };
}

type CannedRepliesProps = {
  ticket: OperatorTicket;
  /** Called with the filled text. */
  onChoose: (filled: Filled) => void;
};

/** The canned replies as buttons, each in the member's language, and the way to keep them. */
export function CannedReplies({ ticket, onChoose }: CannedRepliesProps) {
  const { t } = useTranslation();
  const read = useRead(readReplies);
  const { choose, isWaiting, hasFailed } = useChoice(ticket, onChoose);
  const [isOpen, dialog] = useDisclosure(false);
  const replies = read.data ?? [];
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't scroll in one line. */}
      <div className={styles.replies} role="group" aria-label={t('tickets.replies.label')}>
        {replies.map((reply) => (
          <button
            key={reply.id}
            type="button"
            className={styles.chip}
            disabled={isWaiting}
            onClick={() => choose(reply)}
          >
            {reply.title}
          </button>
        ))}
        {read.isSuccess && replies.length === 0 && (
          <span className={styles.none}>{t('tickets.replies.none')}</span>
        )}
        <button type="button" className={styles.chip} onClick={dialog.open}>
          {t(replies.length === 0 ? 'tickets.replies.first' : 'tickets.replies.manage')}
        </button>
      </div>
      {hasFailed && (
        <p className={styles.none} role="alert">
          {t('tickets.record.failed')}
        </p>
      )}
      <RepliesDialog replies={replies} isOpen={isOpen} onClose={dialog.close} />
    </>
  );
}

type FillNoteProps = { used: Filled['used']; gaps: readonly ReplyPlaceholder[] };

/** What was filled in and from which record, and the gaps, which keep the response from being sent. */
export function FillNote({ used, gaps }: FillNoteProps) {
  const { t } = useTranslation();
  return (
    <>
      {used.length > 0 && (
        <p className={styles.filled}>
          <span>{t('tickets.replies.filled')}</span>
          {used.map(({ name, value }) => (
            <span key={name}>
              {t(`tickets.replies.placeholders.${name}`)} <b>{value}</b>
            </span>
          ))}
        </p>
      )}
      {gaps.length > 0 && (
        <p className={styles.gaps} role="alert">
          {t('tickets.replies.gaps', { names: gaps.map((name) => `{${name}}`).join(', ') })}
        </p>
      )}
    </>
  );
}
