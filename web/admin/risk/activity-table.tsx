import { Button } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Activity, readActivities } from '#contract/risk-signals.ts';
import { Fact, FactList } from '#web/admin/kit/sheet-parts.tsx';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAge, formatTime } from '#web/client/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ReadState } from '#web/ui/read-state.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { MemberLinks } from './member-links.tsx';
import styles from './risk.module.css';
import { levelTones } from './score-badge.tsx';

const POLL_MS = 15_000;

/** What the rules found lately, each with its evidence behind a button. */
export function ActivityTable() {
  const { t } = useTranslation();
  const { read, rows, page, show } = useOperatorList<Activity>(readActivities, { pollMs: POLL_MS });
  if (read.data === undefined)
    return (
      <div className="card">
        <ReadState read={read} rows={5} />
      </div>
    );
  return (
    <div className="card">
      {rows.length === 0 ? (
        <EmptyState title={t('fraud.activities.empty.title')} text={t('fraud.activities.empty.text')} />
      ) : (
        <Rows rows={rows} />
      )}
      <div className={styles.pager}>
        <Pager
          label={t('fraud.activities.pages')}
          page={page}
          totalPages={read.data.totalPages}
          onPage={(next) => show({ page: next })}
        />
      </div>
    </div>
  );
}

const columns = ['level', 'what', 'ip', 'time'] as const;

function Rows({ rows }: { rows: readonly Activity[] }) {
  const { t } = useTranslation();
  const [openId, setOpen] = useState<string | null>(null);
  return (
    <table className={`${styles.table} ${styles.activities}`}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column}>{t(`fraud.activities.columns.${column}`)}</th>
          ))}
          <th>
            <span className="visually-hidden">{t('fraud.activities.evidence')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Fragment key={row.id}>
            <Row
              row={row}
              isOpen={row.id === openId}
              onToggle={() => setOpen(row.id === openId ? null : row.id)}
            />
            {row.id === openId && (
              <tr className={styles.evidence}>
                <td colSpan={columns.length + 1}>
                  <Evidence row={row} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, isOpen, onToggle }: { row: Activity; isOpen: boolean; onToggle: () => void }) {
  const { t, i18n } = useTranslation();
  const { memberCount, count, total, subject } = row.evidence;
  const Sign = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <tr data-open={isOpen || undefined}>
      <td>
        <StatusBadge tone={levelTones[row.riskLevel]}>{t(`fraud.levels.${row.riskLevel}`)}</StatusBadge>
      </td>
      <td className={styles.wrapped}>
        <b>{t(`fraud.rules.${row.activityType}`)}</b>{' '}
        {row.isShadow && <StatusBadge tone="plain">{t('fraud.switches.modes.shadow')}</StatusBadge>}
        <p className={styles.time}>
          {t(`fraud.activities.details.${row.activityType}`, {
            members: memberCount,
            friends: memberCount - 1,
            part: count ?? 0,
            total: total ?? 0,
            subject,
          })}
        </p>
      </td>
      <td data-label={t('fraud.activities.columns.ip')}>
        {row.ipAddress === null ? (
          <span className="dim">{t('fraud.activities.noAddress')}</span>
        ) : (
          <span className={styles.value}>{row.ipAddress}</span>
        )}
      </td>
      <td data-label={t('fraud.activities.columns.time')}>
        <span className="dim" title={formatTime(row.createdAt, i18n.language)}>
          {formatAge(row.createdAt, i18n.language)}
        </span>
      </td>
      <td className={styles.figure}>
        <Button
          variant="subtle"
          size="sm"
          aria-expanded={isOpen}
          rightSection={<Sign size={16} stroke={2} aria-hidden="true" />}
          onClick={onToggle}
        >
          {t('fraud.activities.evidence')}
        </Button>
      </td>
    </tr>
  );
}

function Evidence({ row }: { row: Activity }) {
  const { t, i18n } = useTranslation();
  const { members, memberCount, kinds, subject } = row.evidence;
  return (
    <FactList>
      {memberCount > 0 && (
        <Fact label={t('fraud.activities.members')}>
          <MemberLinks members={members} count={memberCount} />
        </Fact>
      )}
      {kinds.length > 0 && (
        <Fact label={t('fraud.activities.shared')} note={t(`fraud.sure.${kinds.length > 1 ? 'two' : 'one'}`)}>
          {kinds.map((kind) => t(`fraud.kinds.${kind}`)).join(', ')}
        </Fact>
      )}
      <Fact label={t('fraud.activities.subject')}>
        <span className={styles.value}>{subject}</span>
      </Fact>
      <Fact label={t('fraud.activities.columns.time')}>{formatTime(row.createdAt, i18n.language)}</Fact>
    </FactList>
  );
}
