import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { System } from '#contract/system.ts';
import { useHealthNames } from '#web/admin/kit/health-names.ts';
import { ServerSentence } from '#web/admin/kit/server-sentence.tsx';
import { formatAge, formatPoints, formatTime } from '#web/client/format.ts';
import { below } from '#web/ui/sizes.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './system-tab.module.css';

/** How the site runs: nodes, queues, sweeps, leases and migrations, each as a table, on a phone as a list. */

/** The first cell names the row. `num` and `mono` are read in one piece. */
type Cell = { kind?: 'num' | 'mono'; content: ReactNode };
type Row = { key: string; cells: readonly [Cell, ...Cell[]] };

type TableCardProps = {
  id: string;
  title: string;
  note?: string;
  headings: readonly string[];
  rows: readonly Row[];
};

function TableCard({ id, title, note, headings, rows }: TableCardProps) {
  const isPhone = useMediaQuery(below('tablet'), false, { getInitialValueInEffect: false });
  return (
    <section className={`card ${styles.card}`} aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </div>
      {/* A long table scrolls, also by keyboard. On a phone the page alone scrolls. */}
      <div className={styles.scroll} tabIndex={isPhone ? undefined : 0}>
        {isPhone ? <Facts headings={headings} rows={rows} /> : <Table headings={headings} rows={rows} />}
      </div>
    </section>
  );
}

type RowsProps = Pick<TableCardProps, 'headings' | 'rows'>;

function Table({ headings, rows }: RowsProps) {
  return (
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
      <tbody>
        {rows.map(({ key, cells: [name, ...cells] }) => (
          <tr key={key}>
            <th scope="row" className={name.kind}>
              {name.content}
            </th>
            {cells.map(({ kind, content }, index) => (
              <td key={headings[index + 1]} className={kind}>
                {content}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The rows one below the other, each with its cells and their headings. */
function Facts({ headings, rows }: RowsProps) {
  return (
    <ul className={styles.facts}>
      {rows.map(({ key, cells: [name, ...cells] }) => (
        <li key={key}>
          <p className={name.kind}>{name.content}</p>
          <dl>
            {cells.map(({ kind, content }, index) => (
              <div key={headings[index + 1]}>
                <dt>{headings[index + 1]}</dt>
                <dd className={kind}>{content}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

const processText = ({ host, pid }: { host: string; pid: number }) => `${host} ${pid}`;

/** `at` is the real time of the answer, which a sandbox's clock may be ahead of. */
export function NodesCard({ nodes, at }: { nodes: System['nodes']; at: string }) {
  const { t, i18n } = useTranslation();
  const stateOf = (node: System['nodes'][number]) => {
    if (!node.isRunning) {
      const age = formatAge(node.seenAt, i18n.language, new Date(at));
      return <StatusBadge tone="bad">{t('overview.system.nodes.silent', { age })}</StatusBadge>;
    }
    const count = node.troubleCount;
    return count > 0 ? (
      <StatusBadge tone="warn">{t('overview.system.notWell', { count })}</StatusBadge>
    ) : (
      <StatusBadge tone="ok">{t('overview.system.nodes.running')}</StatusBadge>
    );
  };
  const nameOf = (node: System['nodes'][number]) => (
    <>
      {processText(node)}
      {node.isThis && <small> {t('overview.system.nodes.this')}</small>}
    </>
  );
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
      rows={nodes.map((node) => ({
        key: `${processText(node)} ${node.startedAt}`,
        cells: [
          { kind: 'mono', content: nameOf(node) },
          { content: stateOf(node) },
          { kind: 'num', content: node.version },
          { kind: 'num', content: formatTime(node.startedAt, i18n.language) },
        ],
      }))}
    />
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
      rows={queues.map((queue) => ({
        key: queue.name,
        cells: [
          { kind: 'mono', content: queue.name },
          ...names.map((name) => ({ kind: 'num' as const, content: formatPoints(queue[name]) })),
          {
            kind: 'num',
            content: queue.oldestAt === null ? '–' : formatTime(queue.oldestAt, i18n.language),
          },
        ],
      }))}
    />
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
      rows={sweeps.map(({ name, wellAt, trouble }) => ({
        key: name,
        cells: [
          {
            content: (
              <>
                {nameOf(name)}
                <br />
                <code>{name}</code>
              </>
            ),
          },
          {
            content:
              trouble === null ? (
                <StatusBadge tone="ok">{t('overview.system.sweeps.fine')}</StatusBadge>
              ) : (
                <ServerSentence text={trouble} />
              ),
          },
          { kind: 'num', content: wellAt === null ? '–' : formatTime(wellAt, i18n.language) },
        ],
      }))}
    />
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
      rows={leases.map((lease) => ({
        key: lease.name,
        cells: [
          { kind: 'mono', content: lease.name },
          { kind: 'mono', content: processText(lease) },
          { kind: 'num', content: formatTime(lease.takenAt, i18n.language) },
        ],
      }))}
    />
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
      rows={system.migrations.toReversed().map(({ name, appliedAt }) => ({
        key: name,
        cells: [
          { kind: 'mono', content: name },
          {
            kind: 'num',
            content:
              appliedAt === null ? (
                <StatusBadge tone="bad">{t('overview.system.migrations.missing')}</StatusBadge>
              ) : (
                formatTime(appliedAt, i18n.language)
              ),
          },
        ],
      }))}
    />
  );
}
