import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { System } from '#contract/system.ts';
import { useHealthNames } from '#web/admin/kit/health-names.ts';
import { ServerSentence } from '#web/admin/kit/server-sentence.tsx';
import { formatAge, formatPoints, formatTime, formatTimeInFull } from '#web/client/format.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './system-tab.module.css';

/** How the site runs: nodes, queues, sweeps, leases and migrations, each as a table. */

type TableCardProps = {
  id: string;
  title: string;
  note?: string;
  headings: readonly string[];
  children: ReactNode;
};

function TableCard({ id, title, note, headings, children }: TableCardProps) {
  return (
    <section className={`card ${styles.card}`} aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </div>
      {/* A table that is too wide for a phone scrolls, also by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
      <div className={styles.scroll} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {headings.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </section>
  );
}

const processText = ({ host, pid }: { host: string; pid: number }) => `${host} ${pid}`;

/** `at` is the real time of the answer, which a sandbox's clock may be ahead of. */
export function NodesCard({ nodes, at }: { nodes: System['nodes']; at: string }) {
  const { t, i18n } = useTranslation();
  return (
    <TableCard
      id="system-nodes"
      title={t('overview.system.nodes.title')}
      headings={[
        t('overview.system.nodes.process'),
        t('overview.system.nodes.state'),
        t('overview.system.version'),
        t('overview.system.nodes.started'),
      ]}
    >
      {nodes.map((node) => (
        <tr key={`${processText(node)} ${node.startedAt}`}>
          <th scope="row" className="mono">
            {processText(node)}
            {node.isThis && <small> {t('overview.system.nodes.this')}</small>}
          </th>
          <td>
            {!node.isRunning ? (
              <StatusBadge tone="bad">
                {t('overview.system.nodes.silent', {
                  age: formatAge(node.seenAt, i18n.language, new Date(at)),
                })}
              </StatusBadge>
            ) : node.troubleCount > 0 ? (
              <StatusBadge tone="warn">
                {t('overview.system.notWell', { count: node.troubleCount })}
              </StatusBadge>
            ) : (
              <StatusBadge tone="ok">{t('overview.system.nodes.running')}</StatusBadge>
            )}
          </td>
          <td className="num">{node.version}</td>
          <td className="num">{formatTime(node.startedAt, i18n.language)}</td>
        </tr>
      ))}
    </TableCard>
  );
}

export function QueuesCard({ queues }: { queues: System['queues'] }) {
  const { t, i18n } = useTranslation();
  const names = ['waiting', 'retrying', 'failed'] as const;
  return (
    <TableCard
      id="system-queues"
      title={t('overview.system.queues.title')}
      headings={[
        t('overview.system.queues.name'),
        ...names.map((name) => t(`overview.system.jobs.states.${name}`)),
        t('overview.system.queues.oldest'),
      ]}
    >
      {queues.map((queue) => (
        <tr key={queue.name}>
          <th scope="row" className="mono">
            {queue.name}
          </th>
          {names.map((name) => (
            <td key={name} className="num">
              {formatPoints(queue[name])}
            </td>
          ))}
          <td className="num">{queue.oldestAt === null ? '–' : formatTime(queue.oldestAt, i18n.language)}</td>
        </tr>
      ))}
    </TableCard>
  );
}

export function SweepsCard({ sweeps }: { sweeps: System['sweeps'] }) {
  const { t, i18n } = useTranslation();
  const nameOf = useHealthNames();
  return (
    <TableCard
      id="system-sweeps"
      title={t('overview.system.sweeps.title')}
      note={t('overview.system.sweeps.note')}
      headings={[
        t('overview.system.sweeps.name'),
        t('overview.system.nodes.state'),
        t('overview.system.sweeps.well'),
      ]}
    >
      {sweeps.map(({ name, wellAt, trouble }) => (
        <tr key={name}>
          <th scope="row">
            {nameOf(name)}
            <br />
            <code>{name}</code>
          </th>
          <td>
            {trouble === null ? (
              <StatusBadge tone="ok">{t('overview.system.sweeps.fine')}</StatusBadge>
            ) : (
              <ServerSentence text={trouble} />
            )}
          </td>
          <td className="num">{wellAt === null ? '–' : formatTimeInFull(wellAt, i18n.language)}</td>
        </tr>
      ))}
    </TableCard>
  );
}

export function LeasesCard({ leases }: { leases: System['leases'] }) {
  const { t, i18n } = useTranslation();
  return (
    <TableCard
      id="system-leases"
      title={t('overview.system.leases.title')}
      note={t('overview.system.leases.note')}
      headings={[
        t('overview.system.leases.name'),
        t('overview.system.leases.holder'),
        t('overview.system.leases.taken'),
      ]}
    >
      {leases.map((lease) => (
        <tr key={lease.name}>
          <th scope="row" className="mono">
            {lease.name}
          </th>
          <td className="mono">{processText(lease)}</td>
          <td className="num">{formatTimeInFull(lease.takenAt, i18n.language)}</td>
        </tr>
      ))}
    </TableCard>
  );
}

export function MigrationsCard({ system }: { system: System }) {
  const { t, i18n } = useTranslation();
  return (
    <TableCard
      id="system-migrations"
      title={t('overview.system.migrations.title')}
      note={t('overview.system.migrations.note', { version: system.oldestVersion })}
      headings={[t('overview.system.migrations.name'), t('overview.system.migrations.applied')]}
    >
      {system.migrations.toReversed().map(({ name, appliedAt }) => (
        <tr key={name}>
          <th scope="row" className="mono">
            {name}
          </th>
          <td className="num">
            {appliedAt === null ? (
              <StatusBadge tone="bad">{t('overview.system.migrations.missing')}</StatusBadge>
            ) : (
              formatTime(appliedAt, i18n.language)
            )}
          </td>
        </tr>
      ))}
    </TableCard>
  );
}
