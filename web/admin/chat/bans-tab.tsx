import { Button } from '@mantine/core';
import { type Icon, IconBan, IconClock, IconHandStop } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type BanDuration, type ListedBan, readBans } from '#contract/chat-moderation.ts';
import { CardPager, CardTable, cells } from '#web/admin/kit/card-table.tsx';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatTime } from '#web/client/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ReadState } from '#web/ui/read-state.tsx';
import { type BadgeTone, StatusBadge } from '#web/ui/status-badge.tsx';
import { BanForm } from './ban-form.tsx';
import { useCounts } from './chat-tabs.tsx';
import { LiftBanDialog } from './lift-ban-dialog.tsx';
import styles from './words-and-bans.module.css';

/** The bans from the chat: a form for a new one, and lifting. */

const POLL_MS = 30_000;

export function BansTab() {
  const { t } = useTranslation();
  const count = useCounts()('bans');
  return (
    <div className={styles.bans}>
      <BanForm />
      <div className="card">
        <header className="card-head">
          <h2>
            {count === undefined ? t('chatModeration.tabs.bans') : t('chatModeration.bans.title', { count })}
          </h2>
        </header>
        <BanTable />
      </div>
    </div>
  );
}

const columns = ['user', 'reason', 'duration', 'expires', 'state'] as const;

function BanTable() {
  const { t } = useTranslation();
  const state = useOperatorList<ListedBan>(readBans, { pollMs: POLL_MS });
  const [lifting, setLifting] = useState<ListedBan | null>(null);
  const { read, rows } = state;
  if (read.data === undefined) return <ReadState read={read} rows={4} />;
  if (rows.length === 0)
    return (
      <EmptyState title={t('chatModeration.bans.empty.title')} text={t('chatModeration.bans.empty.text')} />
    );
  return (
    <>
      <CardTable
        isCompact
        columns={[
          ...columns.map((column) => ({ label: t(`chatModeration.bans.columns.${column}`) })),
          { label: t('chatModeration.bans.columns.lift'), isUnseen: true },
        ]}
      >
        {rows.map((row) => (
          <BanRow key={row.id} row={row} onLift={() => setLifting(row)} />
        ))}
      </CardTable>
      <CardPager label={t('chatModeration.bans.pages')} state={state} />
      <LiftBanDialog ban={lifting} onClose={() => setLifting(null)} />
    </>
  );
}

/** A ban that has ended is plain, however long it was. */
const looks: Record<BanDuration, { tone: BadgeTone; icon: Icon }> = {
  '1day': { tone: 'plain', icon: IconClock },
  '7days': { tone: 'warn', icon: IconClock },
  permanent: { tone: 'blocked', icon: IconHandStop },
};

function BanRow({ row, onLift }: { row: ListedBan; onLift: () => void }) {
  const { t, i18n } = useTranslation();
  const { tone, icon } = looks[row.duration];
  const ends =
    row.liftedAt !== null
      ? t('chatModeration.bans.lifted', { time: formatTime(row.liftedAt, i18n.language) })
      : row.expiresAt === null
        ? t('chatModeration.bans.never')
        : formatTime(row.expiresAt, i18n.language);
  return (
    <tr>
      <td>
        <Link className={styles.name} to="/management-panel-x7k9w/users/member" search={{ id: row.userId }}>
          {row.userName ?? t('chatModeration.unknown')}
        </Link>
        <p className={cells.note}>
          {row.userEmail ?? t('chatModeration.bans.deleted')} · <span className="num">{row.userId}</span>
        </p>
      </td>
      <td className={cells.text}>{row.reason}</td>
      <td>
        <StatusBadge tone={row.isActive ? tone : 'plain'} icon={icon}>
          {t(`chatModeration.durations.${row.duration}`)}
        </StatusBadge>
      </td>
      <td data-label={t('chatModeration.bans.columns.expires')}>
        <span className="num">{ends}</span>
      </td>
      <td>
        {row.isActive ? (
          <StatusBadge tone="blocked" icon={IconBan}>
            {t('chatModeration.bans.active')}
          </StatusBadge>
        ) : (
          <StatusBadge tone="plain">{t('chatModeration.bans.inactive')}</StatusBadge>
        )}
      </td>
      <td className={cells.figure}>
        {row.isActive && (
          <Button
            variant="default"
            size="sm"
            aria-label={t('chatModeration.bans.liftOf', { name: row.userName ?? row.userId })}
            onClick={onLift}
          >
            {t('chatModeration.bans.lift')}
          </Button>
        )}
      </td>
    </tr>
  );
}
