import { IconFlag, IconHandStop } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { type ReportedMessage, readReports } from '#contract/chat-moderation.ts';
import { KeyStrip } from '#web/admin/kit/key-strip.tsx';
import { useKeys } from '#web/admin/kit/keys.ts';
import { type OperatorListState, useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAge } from '#web/client/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ReadState } from '#web/ui/read-state.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { ReportCase } from './report-case.tsx';
import styles from './reports.module.css';

/** Reported messages, each once, and the open one with what was written around it. */

const POLL_MS = 10_000;

export function ReportsTab() {
  const { t } = useTranslation();
  const state = useOperatorList<ReportedMessage>(readReports, {
    pollMs: POLL_MS,
    defaultFilters: { state: 'open' },
  });
  const { rows, read, openId } = state;
  // Without a choice the first one is open, so that deciding one opens the next.
  const currentId = openId ?? rows[0]?.id ?? null;
  useReportKeys(rows, currentId, state.open);
  if (read.data === undefined)
    return (
      <div className="card">
        <ReadState read={read} rows={4} />
      </div>
    );
  return (
    <>
      <div className={styles.reports}>
        <div className={styles.side}>
          {rows.length === 0 ? (
            <div className="card">
              <EmptyState
                title={t('chatModeration.reports.empty.title')}
                text={t('chatModeration.reports.empty.text')}
              />
            </div>
          ) : (
            <nav className={`card ${styles.list}`} aria-label={t('chatModeration.tabs.reports')}>
              <ul>
                {rows.map((row) => (
                  <li key={row.id}>
                    <ReportButton
                      row={row}
                      isCurrent={row.id === currentId}
                      onOpen={() => state.open(row.id)}
                    />
                  </li>
                ))}
              </ul>
            </nav>
          )}
          <ShownReports state={state} />
        </div>
        {currentId !== null && (
          <ReportCase
            key={currentId}
            id={currentId}
            onDecided={() => {
              if (openId !== null) state.open(null);
            }}
          />
        )}
      </div>
      <div className={styles.foot}>
        <KeyStrip />
      </div>
    </>
  );
}

/** The page of the list, and the way to those that were decided. */
function ShownReports({ state }: { state: OperatorListState<ReportedMessage> }) {
  const { t } = useTranslation();
  const isOpenOnly = state.filters.state === 'open';
  return (
    <div className={styles.below}>
      <button
        type="button"
        className="link small"
        onClick={() => state.filter({ state: isOpenOnly ? null : 'open' })}
      >
        {t(`chatModeration.reports.${isOpenOnly ? 'showDecided' : 'showOpen'}`)}
      </button>
      <Pager
        label={t('chatModeration.reports.pages')}
        page={state.page}
        totalPages={state.read.data?.totalPages ?? 1}
        onPage={(page) => state.show({ page })}
      />
    </div>
  );
}

type ReportButtonProps = { row: ReportedMessage; isCurrent: boolean; onOpen: () => void };

function ReportButton({ row, isCurrent, onOpen }: ReportButtonProps) {
  const { t, i18n } = useTranslation();
  const isWaiting = row.state === 'open';
  const isPrivate = isWaiting && row.reason === 'personal-data';
  const count = t('chatModeration.reports.count', { count: row.reporters });
  const age = formatAge(row.reportedAt, i18n.language);
  return (
    <button type="button" aria-current={isCurrent ? 'true' : undefined} onClick={onOpen}>
      <span className={styles.line}>
        <b>{row.userName ?? t('chatModeration.unknown')}</b>
        {isPrivate && (
          <StatusBadge tone="blocked" icon={IconHandStop}>
            {t('chatModeration.reasons.personal-data')}
          </StatusBadge>
        )}
        {!isWaiting && <StatusBadge tone="ok">{t('chatModeration.reports.decided')}</StatusBadge>}
        {isWaiting && !isPrivate && (
          <StatusBadge tone={row.reporters > 1 ? 'warn' : 'plain'} icon={IconFlag}>
            {count}
          </StatusBadge>
        )}
      </span>
      <span className={styles.quote}>
        {isWaiting && row.isHidden ? t('chatModeration.reports.hidden') : `“${row.message}”`}
      </span>
      <span className={styles.about}>
        {isPrivate ? count : t(`chatModeration.reasons.${row.reason}`)} · {age}
      </span>
    </button>
  );
}

function useReportKeys(
  rows: readonly ReportedMessage[],
  currentId: string | null,
  open: (id: string | null) => void,
): void {
  const { t } = useTranslation();
  const move = (by: 1 | -1) => {
    const next = rows[rows.findIndex(({ id }) => id === currentId) + by];
    if (next !== undefined) open(next.id);
  };
  useKeys(
    [
      { hotkey: 'J', act: () => move(1) },
      { hotkey: 'K', act: () => move(-1) },
    ],
    {
      title: t('chatModeration.keys.title'),
      lines: [{ label: t('chatModeration.keys.move'), caps: ['J', 'K'], isOnStrip: true }],
    },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another report is another place.
  useEffect(() => {
    document.querySelector(`.${styles.list} [aria-current="true"]`)?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);
}
