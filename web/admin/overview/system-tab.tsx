import { Button } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import { type HealthPart, readHealth } from '#contract/health.ts';
import { readOverview } from '#contract/overview.ts';
import {
  type FailedMail,
  type Job,
  readFailedMails,
  readJobs,
  readSystem,
  retryJob,
  retryMail,
  type System,
} from '#contract/system.ts';
import { Age } from '#web/admin/kit/age.tsx';
import { useHealthNames } from '#web/admin/kit/health-names.ts';
import { ListTotals, totalOf } from '#web/admin/kit/list-totals.tsx';
import { ServerSentence } from '#web/admin/kit/server-sentence.tsx';
import { type ApiError, requestIdOf } from '#web/client/call.ts';
import { formatPoints, formatTime, formatTimeInFull } from '#web/client/format.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { type BadgeTone, StatusBadge } from '#web/ui/status-badge.tsx';
import { toast } from '#web/ui/toast.tsx';
import { LinkCards } from './link-cards.tsx';
import { LeasesCard, MigrationsCard, NodesCard, QueuesCard, SweepsCard } from './system-cards.tsx';
import styles from './system-tab.module.css';
import { waitCountOf } from './wait-count.ts';

/** Whether the server is well, how the site runs, and the jobs and mails that failed, with another try. */

const POLL_MS = 30_000;
const WORK_POLL_MS = 10_000;

export function SystemTab() {
  const { t } = useTranslation();
  const health = useRead(readHealth, undefined, { refetchInterval: POLL_MS });
  const overview = useRead(readOverview, undefined, { refetchInterval: POLL_MS });
  const system = useRead(readSystem, undefined, { refetchInterval: WORK_POLL_MS });
  return (
    <>
      <ListTotals
        totals={[
          {
            key: 'version',
            label: t('overview.system.version'),
            value: totalOf(system, ({ version }) => version),
            note: totalOf(system, ({ mode }) => t(`overview.system.mode.${mode}`)),
          },
          {
            key: 'troubles',
            label: t('overview.system.troubles'),
            value: totalOf(health, (read) => formatPoints(read.troubles.length)),
          },
          ...(['failedJobs', 'auditFindings'] as const).map((kind) => ({
            key: kind,
            label: t(`overview.waiting.kinds.${kind}`),
            value: totalOf(overview, ({ waits }) => waitCountOf(kind, waits)),
          })),
        ]}
      />
      <Troubles health={health.data} />
      <FailedMails />
      <Jobs />
      {system.data !== undefined && <Cards system={system.data} />}
      {system.isPending && <SkeletonRows count={5} />}
      {system.isError && system.data === undefined && (
        <ErrorState
          title={t('common.failed')}
          text={t(`refusals.${system.error.code}`)}
          requestId={requestIdOf(system.error)}
          onRetry={() => void system.refetch()}
        />
      )}
      <LinkCards names={['payouts', 'books', 'audit']} />
    </>
  );
}

const Cards = ({ system }: { system: System }) => (
  <div className={styles.cards}>
    <NodesCard nodes={system.nodes} at={system.at} />
    <QueuesCard queues={system.queues} />
    <SweepsCard sweeps={system.sweeps} />
    <LeasesCard leases={system.leases} />
    <MigrationsCard system={system} />
  </div>
);

/** The parts of the server that are not well and, apart, what an operator stopped. */
function Troubles({ health }: { health: ReplyOf<typeof readHealth> | undefined }) {
  const { t } = useTranslation();
  if (health === undefined) return <p>{'\u00a0'}</p>;
  const { troubles, stops } = health;
  return (
    <>
      {troubles.length === 0 ? (
        <p>
          <StatusBadge tone="ok">{t('overview.system.well')}</StatusBadge>
        </p>
      ) : (
        <PartLines parts={troubles} />
      )}
      {stops.length > 0 && (
        <>
          <p>
            <StatusBadge tone="wait" icon={IconPlayerPause}>
              {t('overview.system.paused')}
            </StatusBadge>
          </p>
          <PartLines parts={stops} />
        </>
      )}
    </>
  );
}

function PartLines({ parts }: { parts: readonly HealthPart[] }) {
  const { t, i18n } = useTranslation();
  const nameOf = useHealthNames();
  return (
    <ul className={`card ${styles.lines}`}>
      {parts.map(({ name, trouble, since }) => (
        <li key={name}>
          <b>
            {nameOf(name)} <code>{name}</code>
          </b>
          <ServerSentence text={trouble} />
          <small>{t('overview.system.since', { time: formatTimeInFull(since, i18n.language) })}</small>
        </li>
      ))}
    </ul>
  );
}

type WorkCardProps<Reply> = {
  id: string;
  title: string;
  empty: string;
  read: { data: readonly Reply[] | undefined; error: ApiError | null };
  children: (failed: Reply) => ReactNode;
};

/** A card of what failed, each with another try. */
function WorkCard<Reply>({ id, title, empty, read, children }: WorkCardProps<Reply>) {
  const { t } = useTranslation();
  const { data, error } = read;
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
      </div>
      {data?.length === 0 && <p className={styles.none}>{empty}</p>}
      {/* As high as the sentence that follows in the ordinary course. */}
      {data === undefined && error === null && <p className={styles.none}>{'\u00a0'}</p>}
      {data === undefined && error !== null && <p className={styles.none}>{t(`refusals.${error.code}`)}</p>}
      {data !== undefined && data.length > 0 && <ul className={styles.lines}>{data.map(children)}</ul>}
    </section>
  );
}

/** The mails of notices whose last attempt failed. */
function FailedMails() {
  const { t } = useTranslation();
  const read = useRead(readFailedMails, undefined, { refetchInterval: WORK_POLL_MS });
  return (
    <WorkCard
      id="failed-mails"
      title={t('overview.system.mails.title')}
      empty={t('overview.system.mails.none')}
      read={read}
    >
      {(mail) => <MailLine key={mail.id} mail={mail} />}
    </WorkCard>
  );
}

function MailLine({ mail }: { mail: FailedMail }) {
  const { t, i18n } = useTranslation();
  const retrying = useAct(retryMail);
  const { id, userName, userEmail, kind, reason, attempts, dueAt, createdAt } = mail;
  const send = () =>
    retrying.mutate(
      { params: { id } },
      {
        onSuccess: () => toast.ok(t('overview.system.mails.done', { recipient: userEmail })),
        onError: ({ code }) => toast.bad(t(`refusals.${code}`)),
      },
    );
  return (
    <li className={styles.work}>
      <div>
        <span>
          <b>{userName}</b> <span className="dim">{userEmail}</span>
        </span>
        <span>
          {t(`overview.system.mails.kinds.${kind}`)}: <span lang="en">{reason}</span>
        </span>
        <small>
          <Age at={createdAt} /> · {t('overview.system.attempts', { count: attempts })}{' '}
          {dueAt === null
            ? t('overview.system.givenUp')
            : t('overview.system.next', { time: formatTime(dueAt, i18n.language) })}
        </small>
      </div>
      <Button variant="default" size="sm" loading={retrying.isPending} onClick={send}>
        {t('overview.system.mails.retry')}
      </Button>
    </li>
  );
}

const jobTones: Record<Job['state'], BadgeTone> = {
  failed: 'bad',
  retrying: 'warn',
  running: 'wait',
  waiting: 'wait',
};

/** The jobs that failed, are tried again, run or wait. */
function Jobs() {
  const { t } = useTranslation();
  const read = useRead(readJobs, undefined, { refetchInterval: WORK_POLL_MS });
  return (
    <WorkCard
      id="jobs"
      title={t('overview.system.jobs.title')}
      empty={t('overview.system.jobs.none')}
      read={read}
    >
      {(job) => <JobLine key={job.id} job={job} />}
    </WorkCard>
  );
}

function JobLine({ job }: { job: Job }) {
  const { t, i18n } = useTranslation();
  const retrying = useAct(retryJob);
  const { id, name, state, error, recipient, attempts, runAt, createdAt } = job;
  const again = () =>
    retrying.mutate(
      { params: { id } },
      {
        onSuccess: () => toast.ok(t('overview.system.jobs.done')),
        onError: ({ code }) => toast.bad(t(`refusals.${code}`)),
      },
    );
  return (
    <li className={styles.work}>
      <div>
        <b>
          <code>{name}</code>{' '}
          <StatusBadge tone={jobTones[state]}>{t(`overview.system.jobs.states.${state}`)}</StatusBadge>
        </b>
        {recipient !== null && <span>{recipient}</span>}
        {error !== null && <span lang="en">{error}</span>}
        <small>
          <Age at={createdAt} />
          {attempts > 0 && <> · {t('overview.system.attempts', { count: attempts })}</>}
          {state === 'retrying' &&
            ` ${t('overview.system.next', { time: formatTime(runAt, i18n.language) })}`}
        </small>
      </div>
      {(state === 'failed' || state === 'retrying') && (
        <Button variant="default" size="sm" loading={retrying.isPending} onClick={again}>
          {t('overview.system.jobs.retry')}
        </Button>
      )}
    </li>
  );
}
