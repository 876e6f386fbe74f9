import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { markNoticesRead, type Notice, readNotices } from '#contract/notices.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageBeyond } from '#web/ui/page-beyond.tsx';
import { Pager } from '#web/ui/pager.tsx';
import rows from '#web/ui/rows.module.css';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { DenyDialog } from './deny-dialog.tsx';
import { MailDialog } from './mail-dialog.tsx';
import { NoticeRow } from './notice-row.tsx';
import styles from './notices-page.module.css';

const ROWS_PER_PAGE = 10;

/** The member's notices. The first page marks all as read. What was unread keeps its dot until the page is left. */
export function NoticesPage() {
  const { t } = useTranslation();
  // The settings link to the choice by this hash.
  const isLinked = useLocation({ select: ({ hash }) => hash === 'mail' });
  const [isChoosing, { open, close }] = useDisclosure(isLinked);
  return (
    <>
      <h1>{t('notices.title.page')}</h1>
      <p className={`dim ${styles.lead}`}>
        {t('notices.lead')}{' '}
        <button type="button" className={`link ${styles.choose}`} onClick={open}>
          {t('notices.settings')}
        </button>
      </p>
      <div className={styles.room}>
        <section className={`card ${styles.list}`} aria-label={t('notices.title.page')}>
          <NoticeList />
        </section>
      </div>
      <MailDialog isOpen={isChoosing} onClose={close} />
    </>
  );
}

function NoticeList() {
  const { t } = useTranslation();
  const page = useSearch({ from: '/member/notices' }).page ?? 1;
  const navigate = useNavigate({ from: '/notices' });
  const query = { page: String(page), limit: String(ROWS_PER_PAGE) };
  const list = useRead(readNotices, { query }, { placeholderData: keepPreviousData });
  const [isDenying, { open, close }] = useDisclosure(false);
  const unread = useUnread(list.data?.data ?? []);
  useMarkRead(page === 1 && !list.isPlaceholderData ? list.data : undefined);
  const toPage = (next: number) => {
    void navigate({ search: { page: next } });
    window.scrollTo({ top: 0 });
  };

  if (list.isPending) return <SkeletonRows count={ROWS_PER_PAGE} />;
  // A list that is shown stays when it can't be read again.
  if (list.data === undefined)
    return (
      <ErrorState
        title={t('notices.failedTitle')}
        text={t('notices.failedText')}
        requestId={requestIdOf(list.error)}
        onRetry={() => void list.refetch()}
      />
    );
  const { data, pagination } = list.data;
  if (data.length === 0 && pagination.totalCount > 0) return <PageBeyond onFirst={() => toPage(1)} />;
  if (data.length === 0) return <EmptyState title={t('notices.emptyTitle')} text={t('notices.emptyText')} />;
  return (
    <>
      <ul className={rows.rows} aria-busy={list.isPlaceholderData || undefined}>
        {data.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} isNew={unread.has(notice.id)} onDeny={open} />
        ))}
      </ul>
      <Pager page={page} totalPages={pagination.totalPages} onPage={toPage} label={t('notices.pages')} />
      <DenyDialog isOpen={isDenying} onClose={close} />
    </>
  );
}

/** The notices that were unread when this page first had them. */
function useUnread(notices: readonly Notice[]): ReadonlySet<string> {
  const unread = useRef(new Set<string>());
  for (const { id, readAt } of notices) if (readAt === null) unread.current.add(id);
  return unread.current;
}

/** Marks the notices up to the newest as read, and those that arrive while the page is open. */
function useMarkRead(list: { data: readonly Notice[]; unreadCount: number } | undefined): void {
  const { mutate } = useAct(markNoticesRead);
  const newest = list?.data[0]?.id;
  const hasUnread = list !== undefined && list.unreadCount > 0;
  useEffect(() => {
    if (newest !== undefined && hasUnread) mutate({ body: { upTo: newest } });
  }, [newest, hasUnread, mutate]);
}
