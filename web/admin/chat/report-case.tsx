import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type BanDuration, decideReport, readReport } from '#contract/chat-moderation.ts';
import type { BodyInputOf, ReplyOf } from '#contract/endpoint.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import type { FailureCode } from '#web/client/call.ts';
import { formatDay, formatMoment, formatPoints, formatTime, formatTimeInFull } from '#web/client/format.ts';
import { usePollMs } from '#web/client/live-waiting.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { ReadState } from '#web/ui/read-state.tsx';
import { toast } from '#web/ui/toast.tsx';
import { BanWriterDialog, WarnDialog } from './decision-dialogs.tsx';
import styles from './reports.module.css';

type Case = ReplyOf<typeof readReport>;

const POLL_MS = 10_000;

type ReportCaseProps = { id: string; onDecided: () => void };

/** A reported message with what was written around it, what is known of its writer, and the decision. */
export function ReportCase({ id, onDecided }: ReportCaseProps) {
  const { t } = useTranslation();
  const refetchInterval = usePollMs(POLL_MS, readReport.topic);
  const read = useRead(readReport, { params: { id } }, { refetchInterval });
  const heading = useRef<HTMLHeadingElement>(null);
  const isRead = read.data !== undefined;
  // The decision of the one before took its button away, and the focus with it.
  useEffect(() => {
    if (isRead && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [isRead]);
  if (read.data === undefined)
    return (
      <div className="card">
        <ReadState read={read} rows={4} />
      </div>
    );
  const found = read.data;
  const name = found.userName ?? t('chatModeration.unknown');
  return (
    <article className={`card ${styles.case}`} aria-labelledby="report-heading">
      <header className="card-head">
        <h2 id="report-heading" ref={heading} tabIndex={-1}>
          {t('chatModeration.case.title', { name, count: found.reporters })}
        </h2>
        <Link className="link small" to="/management-panel-x7k9w/users/member" search={{ id: found.userId }}>
          {t('chatModeration.case.member')}
        </Link>
      </header>
      <Writer found={found} />
      <Context found={found} />
      {found.state === 'open' ? (
        <Decision found={found} name={name} onDecided={onDecided} />
      ) : (
        <p className={`${styles.act} small dim`}>{t('chatModeration.case.decided')}</p>
      )}
    </article>
  );
}

/** At most one ban of a member is active. */
const activeBanOf = ({ bans }: Case) => bans.find(({ isActive }) => isActive);

function Writer({ found }: { found: Case }) {
  const { t, i18n } = useTranslation();
  const [newest] = found.bans;
  const active = activeBanOf(found);
  const until = active?.expiresAt ?? null;
  const banned =
    until === null
      ? t('chatModeration.case.bannedUntilLifted')
      : t('chatModeration.case.bannedUntil', { time: formatTime(until, i18n.language) });
  const facts = [
    { key: 'since', value: formatDay(found.memberSince, i18n.language) },
    { key: 'messages', value: formatPoints(found.messageCount) },
    { key: 'reported', value: t('chatModeration.case.times', { count: found.reportedCount }) },
    {
      key: 'bans',
      value:
        newest === undefined
          ? t('chatModeration.case.noBan')
          : t('chatModeration.case.banCount', {
              count: found.bans.length,
              newest: t(`chatModeration.durations.${newest.duration}`),
            }),
      note: active && banned,
    },
  ] as const;
  return (
    <dl className={styles.writer}>
      {facts.map(({ key, value, ...fact }) => (
        <div key={key}>
          <dt>{t(`chatModeration.case.facts.${key}`)}</dt>
          <dd>{value}</dd>
          {'note' in fact && fact.note !== undefined && <dd>{fact.note}</dd>}
        </div>
      ))}
    </dl>
  );
}

function Context({ found }: { found: Case }) {
  const { i18n } = useTranslation();
  return (
    <ol className={styles.context}>
      {found.context.map(({ id, firstName, message, createdAt }) => (
        <li key={id} data-hit={id === found.id || undefined}>
          <time dateTime={createdAt} title={formatTimeInFull(createdAt, i18n.language)}>
            {formatMoment(createdAt, i18n.language)}
          </time>
          <p>
            <b>{firstName}</b> <bdi>{message}</bdi>
          </p>
        </li>
      ))}
    </ol>
  );
}

type DecisionProps = { found: Case; name: string; onDecided: () => void };

/** Decides about the case, and says what was done or why it was not. */
function useDecision({ found, name, onDecided }: DecisionProps) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const deciding = useAct(decideReport);
  const whyNot = (code: FailureCode) =>
    code === 'already-exists' ? t('chatModeration.bans.refused.already', { name }) : refusalWords(code);
  const decide = (body: BodyInputOf<typeof decideReport>) =>
    deciding.mutate(
      { params: { id: found.id }, body },
      {
        onSuccess: () => {
          toast.ok(t(`chatModeration.case.done.${body.decision}`, { name }));
          onDecided();
        },
        onError: ({ code }) => toast.bad(whyNot(code), t('chatModeration.case.failed')),
      },
    );
  return {
    decide,
    isPending: deciding.isPending,
    pending: deciding.variables?.body.decision,
    failure: deciding.error === null ? null : whyNot(deciding.error.code),
    forget: deciding.reset,
  };
}

function Decision({ found, name, onDecided }: DecisionProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<'warn' | 'ban' | null>(null);
  const { decide, isPending, pending, failure, forget } = useDecision({
    found,
    name,
    onDecided: () => {
      setAsked(null);
      onDecided();
    },
  });
  const ask = (decision: 'warn' | 'ban') => {
    forget();
    setAsked(decision);
  };
  const isBanned = activeBanOf(found) !== undefined;
  const pendingDecision = isPending ? pending : undefined;
  return (
    <div className={styles.act}>
      <p className="small dim">{t('chatModeration.case.told', { name, count: found.reporters })}</p>
      <div className={styles.decisions}>
        <Button
          variant="default"
          disabled={isPending}
          loading={pendingDecision === 'leave'}
          onClick={() => decide({ decision: 'leave' })}
        >
          {t(`chatModeration.case.${found.isHidden ? 'showAgain' : 'leave'}`)}
        </Button>
        <Button
          variant="default"
          disabled={isPending}
          loading={pendingDecision === 'delete'}
          onClick={() => decide({ decision: 'delete' })}
        >
          {t('chatModeration.case.delete')}
        </Button>
        <Button variant="default" disabled={isPending} onClick={() => ask('warn')}>
          {t('chatModeration.case.warn')}
        </Button>
        <Button variant="outline" color="brick" disabled={isPending || isBanned} onClick={() => ask('ban')}>
          {t('chatModeration.case.ban')}
        </Button>
      </div>
      {isBanned && (
        <p className={`${styles.fine} small dim`}>{t('chatModeration.bans.refused.already', { name })}</p>
      )}
      <WarnDialog
        name={name}
        isOpen={asked === 'warn'}
        isPending={isPending}
        failure={failure}
        onSubmit={(reason) => decide({ decision: 'warn', reason })}
        onClose={() => setAsked(null)}
      />
      <BanWriterDialog
        name={name}
        isOpen={asked === 'ban'}
        isPending={isPending}
        failure={failure}
        onSubmit={(reason: string, duration: BanDuration) => decide({ decision: 'ban', reason, duration })}
        onClose={() => setAsked(null)}
      />
    </div>
  );
}
