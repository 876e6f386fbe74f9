import { useMediaQuery } from '@mantine/hooks';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type AccountRecord, readUser } from '#contract/members-accounts.ts';
import { KeyStrip } from '#web/admin/kit/key-strip.tsx';
import { requestIdOf } from '#web/client/call.ts';
import type { MemberAct, MemberTab } from '#web/client/member-search.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { from } from '#web/ui/sizes.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { actsOn } from './acts-on.ts';
import { MemberActs, type MoneyForms } from './member-acts.tsx';
import { MemberFigures, SuspensionLines } from './member-facts.tsx';
import { MemberHead } from './member-head.tsx';
import styles from './member-page.module.css';
import { MemberParts } from './member-parts.tsx';
import { useMemberKeys } from './use-member-keys.ts';

/** One member: who it is, the figures, what is blocked, everything that happened, and the forms that act on it. */

const POLL_MS = 30_000;

/** `forms` are those of other features, which the shell composes. */
export function MemberPage({ forms }: { forms: MoneyForms }) {
  const { t } = useTranslation();
  const { id = '' } = useSearch({ from: '/operator/management-panel-x7k9w/users/member' });
  const isNamed = id !== '';
  const read = useRead(readUser, { params: { id } }, { refetchInterval: POLL_MS, enabled: isNamed });
  if (read.data !== undefined) return <Member key={id} member={read.data} forms={forms} />;
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

function Member({ member, forms }: { member: AccountRecord; forms: MoneyForms }) {
  const { tab = 'timeline', act: named } = useSearch({
    from: '/operator/management-panel-x7k9w/users/member',
  });
  const navigate = useNavigate({ from: '/management-panel-x7k9w/users/member' });
  const isBeside = useMediaQuery(from('laptop')) ?? true;
  const acts = actsOn(member);
  const act = acts.find((one) => one === named);
  // Over the page, as on a phone, Back closes the sheet.
  const open = (next: MemberAct | undefined) =>
    void navigate({
      search: ({ act: _, ...rest }) => ({ ...rest, ...(next !== undefined && { act: next }) }),
      replace: isBeside || act !== undefined,
    });
  const show = (next: MemberTab) =>
    void navigate({
      search: ({ tab: _, ...rest }) => ({ ...rest, ...(next !== 'timeline' && { tab: next }) }),
      replace: true,
    });
  useMemberKeys({ acts, open, show });
  return (
    <div className={styles.work} data-sheet={(act !== undefined && isBeside) || undefined}>
      <main id="main" tabIndex={-1} className={styles.page}>
        <div className={styles.scroll}>
          <MemberHead member={member} onAct={() => open(acts[0])} />
          <SuspensionLines member={member} />
          <MemberFigures member={member} />
          <MemberParts member={member} tab={tab} onTab={show} />
        </div>
        <KeyStrip />
      </main>
      {act !== undefined && (
        <MemberActs
          member={member}
          act={act}
          forms={forms}
          isBeside={isBeside}
          onChange={open}
          onClose={() => open(undefined)}
        />
      )}
    </div>
  );
}
