import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AccountRecord, readUser } from '#contract/members-accounts.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { LinkedAccounts, MemberFacts, MemberFigures, SuspensionLines } from './member-facts.tsx';
import { MemberHead } from './member-head.tsx';
import styles from './member-page.module.css';
import { Timeline } from './timeline.tsx';

/** One member: who it is, the figures, what is blocked, and everything that happened. */

const POLL_MS = 30_000;

export function MemberPage() {
  const { t } = useTranslation();
  const { id = '' } = useSearch({ from: '/operator/management-panel-x7k9w/users/member' });
  const isNamed = id !== '';
  const read = useRead(readUser, { params: { id } }, { refetchInterval: POLL_MS, enabled: isNamed });
  if (read.data !== undefined) return <Member key={id} member={read.data} />;
  return (
    <main id="main" tabIndex={-1} className={styles.main}>
      <h1 className="visually-hidden">{t('users.sheet.title')}</h1>
      {!isNamed && <EmptyState title={t('member.failed')} text={t('member.unknown')} />}
      {isNamed && read.isPending && <SkeletonRows count={6} />}
      {read.isError && (
        <ErrorState
          title={t('member.failed')}
          text={read.error.code === 'not-found' ? t('member.unknown') : t(`refusals.${read.error.code}`)}
          requestId={requestIdOf(read.error)}
          onRetry={() => void read.refetch()}
        />
      )}
      <Link to="/management-panel-x7k9w/users" className={`link ${styles.back}`}>
        {t('member.back')}
      </Link>
    </main>
  );
}

function Member({ member }: { member: AccountRecord }) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <main id="main" tabIndex={-1} className={styles.main}>
      <MemberHead member={member} isDeleting={isDeleting} onDelete={setDeleting} />
      <SuspensionLines member={member} />
      <MemberFigures member={member} />
      <MemberFacts member={member} />
      <LinkedAccounts member={member} />
      <Timeline memberId={member.id} />
    </main>
  );
}
