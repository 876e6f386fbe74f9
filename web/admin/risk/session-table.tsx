import { useTranslation } from 'react-i18next';
import { HIGH_RISK_SCORE, type RiskySession, readRiskySessions } from '#contract/risk-sessions.ts';
import { deviceNameIn } from '#contract/user-agent.ts';
import { CardTable, cells } from '#web/admin/kit/card-table.tsx';
import { NetworkNote } from '#web/admin/kit/network-note.tsx';
import { formatAge, formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ReadState } from '#web/ui/read-state.tsx';
import { MemberLinks } from './member-links.tsx';
import styles from './risk.module.css';
import { ScoreBadge } from './score-badge.tsx';

const POLL_MS = 30_000;

/** The sessions of high risk, the highest score first, each with the reasons of its score. */
export function SessionTable() {
  const { t } = useTranslation();
  const read = useRead(readRiskySessions, undefined, { refetchInterval: POLL_MS });
  return (
    <div className="card">
      <SessionRows read={read} />
      <p className={styles.hint}>{t('fraud.sessions.hint')}</p>
    </div>
  );
}

function SessionRows({ read }: { read: ReturnType<typeof useRead<typeof readRiskySessions>> }) {
  const { t } = useTranslation();
  if (read.data === undefined) return <ReadState read={read} rows={5} />;
  const { sessions } = read.data;
  if (sessions.length === 0)
    return <EmptyState title={t('fraud.sessions.empty.title')} text={t('fraud.sessions.empty.text')} />;
  return (
    <CardTable columns={columns.map((column) => ({ label: t(`fraud.sessions.columns.${column}`) }))}>
      {sessions.map((session) => (
        <Row key={session.id} session={session} />
      ))}
    </CardTable>
  );
}

const columns = ['score', 'member', 'why', 'address', 'since'] as const;

function Row({ session }: { session: RiskySession }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language === 'ko' ? 'ko' : 'en';
  const { userId, name, reasons, ipAddress, network, userAgent, createdAt } = session;
  return (
    <tr>
      <td>
        <ScoreBadge score={session.score} yellowFrom={HIGH_RISK_SCORE} />
      </td>
      <td>
        <MemberLinks members={[{ id: userId, name }]} count={1} />
      </td>
      <td className={cells.text}>
        {reasons.map(({ reason, points }) => (
          <p key={reason}>
            {t('fraud.sessions.part', { reason: t(`fraud.sessions.reasons.${reason}`), points })}
          </p>
        ))}
      </td>
      <td data-label={t('fraud.sessions.columns.address')}>
        <span className={styles.value}>{ipAddress}</span>
        <NetworkNote network={network} />
      </td>
      <td data-label={t('fraud.sessions.columns.since')}>
        <span className="dim" title={formatTime(createdAt, language)}>
          {formatAge(createdAt, language)}
        </span>
        <p className={cells.note}>{deviceNameIn(language, userAgent)}</p>
      </td>
    </tr>
  );
}
