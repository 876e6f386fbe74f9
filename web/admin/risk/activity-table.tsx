import { Button } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Activity, readActivities } from '#contract/risk-signals.ts';
import { riskLevels, riskRules } from '#contract/rule-modes.ts';
import { CardPager, CardTable, cells } from '#web/admin/kit/card-table.tsx';
import { FilterChips } from '#web/admin/kit/list-filters.tsx';
import { NothingFound } from '#web/admin/kit/nothing-found.tsx';
import { Fact, FactList } from '#web/admin/kit/sheet-parts.tsx';
import { type OperatorListState, useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAge, formatTime } from '#web/client/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ReadState } from '#web/ui/read-state.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { MemberLinks } from './member-links.tsx';
import styles from './risk.module.css';
import { levelTones } from './score-badge.tsx';
import { surenessOf } from './sureness.ts';

const POLL_MS = 15_000;

/** What the rules found lately, each with its evidence behind a button. */
export function ActivityTable() {
  const { t } = useTranslation();
  const state = useOperatorList<Activity>(readActivities, { pollMs: POLL_MS });
  const { read, rows } = state;
  if (read.data === undefined)
    return (
      <div className="card">
        <ReadState read={read} rows={5} />
      </div>
    );
  return (
    <div className="card">
      {(rows.length > 0 || !state.isDefault) && <Filters state={state} />}
      {rows.length > 0 ? (
        <Rows rows={rows} />
      ) : state.isDefault ? (
        <EmptyState title={t('fraud.activities.empty.title')} text={t('fraud.activities.empty.text')} />
      ) : (
        <NothingFound
          title={t('fraud.activities.notFound.title')}
          text={t('fraud.activities.notFound.text')}
          onClear={state.clear}
        />
      )}
      <CardPager label={t('fraud.activities.pages')} state={state} />
    </div>
  );
}

function Filters({ state }: { state: OperatorListState<Activity> }) {
  const { t } = useTranslation();
  const levels = riskLevels.map((level) => ({ value: level, label: t(`fraud.levels.${level}`) }));
  const rules = riskRules.map((rule) => ({ value: rule, label: t(`fraud.rules.${rule}`) }));
  const chips = [
    { kind: 'choice', label: t('fraud.activities.columns.level'), name: 'level', options: levels },
    { kind: 'choice', label: t('fraud.activities.rule'), name: 'rule', options: rules },
  ] as const;
  return <FilterChips state={state} chips={chips} className={styles.chips} />;
}

const columns = ['level', 'what', 'ip', 'time'] as const;

function Rows({ rows }: { rows: readonly Activity[] }) {
  const { t } = useTranslation();
  const [openId, setOpen] = useState<string | null>(null);
  return (
    <CardTable
      columns={[
        ...columns.map((column) => ({ label: t(`fraud.activities.columns.${column}`) })),
        { label: t('fraud.activities.evidence'), isUnseen: true },
      ]}
    >
      {rows.map((row) => (
        <Fragment key={row.id}>
          <Row
            row={row}
            isOpen={row.id === openId}
            onToggle={() => setOpen(row.id === openId ? null : row.id)}
          />
          {row.id === openId && (
            <tr className={cells.opened}>
              <td colSpan={columns.length + 1}>
                <div className={styles.evidence}>
                  <Evidence row={row} />
                </div>
              </td>
            </tr>
          )}
        </Fragment>
      ))}
    </CardTable>
  );
}

/** Whom it is about first, and how many more. */
function FirstMember({ row: { userId, evidence } }: { row: Activity }) {
  const first = evidence.members.filter(({ id }) => id === userId);
  return first.length > 0 && <MemberLinks members={first} count={evidence.memberCount} />;
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
      <td className={cells.text}>
        <b className={styles.rule}>{t(`fraud.rules.${row.activityType}`)}</b>{' '}
        {row.isShadow && <StatusBadge tone="plain">{t('fraud.switches.modes.shadow')}</StatusBadge>}
        <FirstMember row={row} />
        <p className={cells.note}>
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
      <td className={cells.figure}>
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
        <Fact
          label={t('fraud.activities.shared')}
          note={t(`fraud.sure.${surenessOf(row.activityType, kinds)}`)}
        >
          {kinds.map((kind) => t(`fraud.kinds.${kind}`)).join(', ')}
        </Fact>
      )}
      <Fact label={t('fraud.activities.subject')}>
        <span className={styles.value}>{subject}</span>
      </Fact>
      <Fact label={t('fraud.activities.rule')}>
        {t('fraud.activities.ruleVersion', { rule: row.activityType, version: row.ruleVersion })}
      </Fact>
      <Fact label={t('fraud.activities.columns.time')}>{formatTime(row.createdAt, i18n.language)}</Fact>
    </FactList>
  );
}
