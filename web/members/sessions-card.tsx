import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endOtherSessions, endSession, readSessions, type Session } from '#contract/access.ts';
import { deviceNameIn, deviceOf } from '#contract/user-agent.ts';
import { type ApiError, requestIdOf } from '#web/client/call.ts';
import { formatAge, formatDay, formatTime } from '#web/client/format.ts';
import { refreshTopics, useAct, useRead } from '#web/client/use-call.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import rows from '#web/ui/rows.module.css';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './settings-page.module.css';

const SHOWN_AT_FIRST = 5;
const NOW_MS = 60_000;

/** The member's sessions. Ends one session, or all others at once. */
export function SessionsCard() {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const sessions = useRead(readSessions);
  const [isWhole, setWhole] = useState(false);
  const { end, endOthers, endingId, isEndingOthers } = useEnding(() => heading.current?.focus());
  const all = sessions.data ?? [];
  const shown = isWhole ? all : all.slice(0, SHOWN_AT_FIRST);
  return (
    <section className={`card ${styles.card}`} aria-labelledby="sessions">
      <div className={styles.head}>
        <div>
          <h2 id="sessions" ref={heading} tabIndex={-1}>
            {t('settings.sessions.title')}
          </h2>
          <p className={`small dim ${styles.headText}`}>{t('settings.sessions.lead')}</p>
        </div>
        {all.length > 1 && (
          <Button variant="default" size="sm" loading={isEndingOthers} onClick={endOthers}>
            {t('settings.sessions.endOthers')}
          </Button>
        )}
      </div>
      {sessions.isPending && <SkeletonRows count={1} />}
      {sessions.isError && (
        <ErrorState
          title={t('settings.sessions.unread')}
          text={t('settings.sessions.unreadText')}
          requestId={requestIdOf(sessions.error)}
          onRetry={() => void sessions.refetch()}
        />
      )}
      <ul className={rows.rows}>
        {shown.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isEnding={session.id === endingId}
            onEnd={() => end(session.id)}
          />
        ))}
      </ul>
      {shown.length < all.length && (
        <div className={styles.more}>
          <Button variant="subtle" onClick={() => setWhole(true)}>
            {t('settings.sessions.more', { count: all.length - shown.length })}
          </Button>
        </div>
      )}
    </section>
  );
}

function useEnding(onGone: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const ending = useAct(endSession);
  const endingOthers = useAct(endOtherSessions);
  const failed = (error: ApiError) => {
    if (error.code === 'not-found') void refreshTopics(client, ['sessions']);
    else toast.bad(t(`refusals.${error.code}`), t('settings.sessions.failed'));
  };
  const showEnded = (message: string) => {
    toast.ok(message);
    // The row of the pressed button is removed, so the focus has to move.
    onGone();
  };
  return {
    endingId: ending.isPending ? ending.variables.params.id : null,
    isEndingOthers: endingOthers.isPending,
    end: (id: string) =>
      ending.mutate(
        { params: { id } },
        { onSuccess: () => showEnded(t('settings.sessions.ended')), onError: failed },
      ),
    endOthers: () =>
      endingOthers.mutate(
        {},
        { onSuccess: () => showEnded(t('settings.sessions.othersEnded')), onError: failed },
      ),
  };
}

type RowProps = { session: Session; isEnding: boolean; onEnd: () => void };

function SessionRow({ session, isEnding, onEnd }: RowProps) {
  const { t, i18n } = useTranslation();
  const name = deviceNameIn(useLanguage(), session.userAgent);
  const isNow = session.current || Date.now() - Date.parse(session.lastSeenAt) < NOW_MS;
  const Sign = deviceOf(session.userAgent).isPhone ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li>
      <span className={rows.plate} aria-hidden="true">
        <Sign size={20} stroke={1.75} />
      </span>
      <div>
        <p className={rows.title}>{name}</p>
        <p className={rows.meta}>
          <time dateTime={session.lastSeenAt} title={formatTime(session.lastSeenAt, i18n.language)}>
            {isNow
              ? t('settings.sessions.seenNow')
              : t('settings.sessions.seen', { age: formatAge(session.lastSeenAt, i18n.language) })}
          </time>
          {' · '}
          {t('settings.sessions.since', { day: formatDay(session.createdAt, i18n.language) })}
        </p>
      </div>
      {session.current ? (
        <StatusBadge tone="ok">{t('settings.sessions.this')}</StatusBadge>
      ) : (
        <Button
          variant="default"
          size="sm"
          loading={isEnding}
          aria-label={t('settings.sessions.endNamed', { device: name })}
          onClick={onEnd}
        >
          {t('settings.sessions.end')}
        </Button>
      )}
    </li>
  );
}
