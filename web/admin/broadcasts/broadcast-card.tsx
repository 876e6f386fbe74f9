import { Button, Progress } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type Broadcast,
  pauseBroadcast,
  readBroadcast,
  readBroadcasts,
  resumeBroadcast,
  retryBroadcast,
} from '#contract/broadcasts.ts';
import { formatPoints, formatTime } from '#web/client/format.ts';
import { keyOf, useAct, useRead } from '#web/client/use-call.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './broadcasts.module.css';
import { AgainDialog, StopDialog } from './card-dialogs.tsx';
import { counted } from './counted.ts';
import { durationIn } from './duration.ts';
import { useChangeFailure } from './use-change-failure.ts';

const WATCHED_EVERY_MS = 2_000;
type CardProps = { row: Broadcast };

/** A broadcast beside the form: its progress while it is sent or paused, then its result. */
export function BroadcastCard({ row }: CardProps) {
  const { t } = useTranslation();
  const isOpen = row.status === 'running' || row.status === 'paused';
  return (
    <section
      className={`card ${styles.side}`}
      aria-labelledby={`broadcast-${row.id}`}
      data-broadcast={row.id}
    >
      {isOpen ? <Sending row={row} /> : <Result row={row} />}
      {row.perhapsSent > 0 && <Perhaps row={row} />}
      {row.kind === 'terms' && <p className={styles.note}>{t('broadcast.card.terms')}</p>}
    </section>
  );
}

/** The subject in the operator's language. */
const subjectIn = ({ subject, subjectKo }: Broadcast, language: string): string =>
  (language === 'ko' ? subjectKo : null) ?? subject;

/** How many mails have their outcome. */
const doneOf = ({ sent, failed, perhapsSent, skipped }: Broadcast) => sent + failed + perhapsSent + skipped;

/** Watches a broadcast. When it is over, the list is read again, because the list still calls it running. */
function useWatched(listed: Broadcast) {
  const client = useQueryClient();
  const { data } = useRead(
    readBroadcast,
    { params: { id: listed.id } },
    { refetchInterval: listed.status === 'running' ? WATCHED_EVERY_MS : false },
  );
  const isOver = data?.status === 'done' || data?.status === 'stopped';
  useEffect(() => {
    if (isOver) void client.invalidateQueries({ queryKey: keyOf(readBroadcasts) });
  }, [client, isOver]);
  return data ?? { ...listed, secondsLeft: null, trouble: null, waitsUntil: null };
}

function Sending({ row: listed }: CardProps) {
  const { t, i18n } = useTranslation();
  const row = useWatched(listed);
  const { id, status, recipients, secondsLeft, waitsUntil, trouble } = row;
  const onError = useChangeFailure();
  const pausing = useAct(pauseBroadcast);
  const resuming = useAct(resumeBroadcast);
  const [isStopping, setStopping] = useState(false);
  const change = { params: { id } };
  const isPaused = status === 'paused';
  return (
    <>
      <div className={styles.heading}>
        <h2 id={`broadcast-${id}`}>{t(`broadcast.card.${isPaused ? 'paused' : 'running'}`)}</h2>
        <span className="num dim">{`${formatPoints(doneOf(row))} / ${formatPoints(recipients)}`}</span>
      </div>
      <p className={styles.about}>{subjectIn(row, i18n.language)}</p>
      <Progress
        value={recipients === 0 ? 100 : (doneOf(row) / recipients) * 100}
        aria-label={t('broadcast.card.progress')}
      />
      <p className={`${styles.note} ${styles.below}`} role="status">
        {isPaused
          ? t('broadcast.card.pausedBy', {
              who: row.changedBy ?? t('broadcast.card.site'),
              time: formatTime(row.changedAt, i18n.language),
            })
          : [
              t('broadcast.card.failed', counted(row.failed)),
              secondsLeft !== null &&
                t('broadcast.card.left', { time: durationIn(i18n.language, secondsLeft) }),
            ]
              .filter(Boolean)
              .join(' · ')}
      </p>
      {waitsUntil !== null && (
        <p className={styles.trouble}>
          {t('broadcast.card.waits', { time: formatTime(waitsUntil, i18n.language) })}
          {trouble !== null && <span className="mono">{trouble}</span>}
        </p>
      )}
      <div className={styles.buttons}>
        {isPaused ? (
          <Button loading={resuming.isPending} onClick={() => resuming.mutate(change, { onError })}>
            {t('broadcast.card.resume')}
          </Button>
        ) : (
          <Button
            variant="default"
            leftSection={<IconPlayerPause size={18} stroke={1.75} aria-hidden="true" />}
            loading={pausing.isPending}
            onClick={() => pausing.mutate(change, { onError })}
          >
            {t('broadcast.card.pause')}
          </Button>
        )}
        <Button variant="outline" color="brick" onClick={() => setStopping(true)}>
          {t('broadcast.card.stop')}
        </Button>
      </div>
      <StopDialog row={row} isOpen={isStopping} onClose={() => setStopping(false)} />
    </>
  );
}

function Result({ row }: CardProps) {
  const { t, i18n } = useTranslation();
  const { id, status, failures, createdAt, finishedAt } = row;
  const onError = useChangeFailure();
  const retrying = useAct(retryBroadcast);
  const retryable = failures.mailboxFull + failures.refused + failures.deferred;
  const reasons = (['noAddress', 'mailboxFull', 'refused', 'deferred'] as const).filter(
    (reason) => failures[reason] > 0,
  );
  const seconds = (Date.parse(finishedAt ?? row.changedAt) - Date.parse(createdAt)) / 1_000;
  return (
    <>
      <div className={styles.heading}>
        <h2 id={`broadcast-${id}`}>{t('broadcast.card.result')}</h2>
        <StatusBadge tone={status === 'done' ? 'ok' : 'plain'}>{t(`broadcast.status.${status}`)}</StatusBadge>
      </div>
      <p className={styles.about}>{subjectIn(row, i18n.language)}</p>
      <p className={styles.outcome}>
        {[
          t('broadcast.card.sent', counted(row.sent)),
          t('broadcast.card.failed', counted(row.failed)),
          ...(row.skipped > 0 ? [t('broadcast.card.skipped', counted(row.skipped))] : []),
          durationIn(i18n.language, seconds),
        ].join(' · ')}
      </p>
      {reasons.length > 0 && (
        <p className={styles.note}>
          {t('broadcast.card.reasons', {
            reasons: reasons
              .map((reason) => t(`broadcast.reasons.${reason}`, counted(failures[reason])))
              .join(', '),
          })}
        </p>
      )}
      <p className={styles.note}>{formatTime(createdAt, i18n.language)}</p>
      {status === 'done' && retryable > 0 && (
        <div className={styles.buttons}>
          <Button
            variant="default"
            loading={retrying.isPending}
            onClick={() => retrying.mutate({ params: { id }, body: { which: 'failed' } }, { onError })}
          >
            {t('broadcast.card.retry', counted(retryable))}
          </Button>
        </div>
      )}
    </>
  );
}

/** Mails of which nobody knows whether the server took them, and the way to send them again. */
function Perhaps({ row }: CardProps) {
  const { t } = useTranslation();
  const [isAsked, setAsked] = useState(false);
  return (
    <div className={styles.perhaps}>
      <p>{t('broadcast.perhaps.text', counted(row.perhapsSent))}</p>
      {row.status === 'done' && (
        <button type="button" className="link" onClick={() => setAsked(true)}>
          {t('broadcast.perhaps.again')}
        </button>
      )}
      <AgainDialog row={row} isOpen={isAsked} onClose={() => setAsked(false)} />
    </div>
  );
}
