import { IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type Announcement, readAnnouncements } from '#contract/announcements.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatDate } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './announcements.module.css';

type AnnouncementsDialogProps = { isOpen: boolean; onClose: () => void };

/** All announcements, the newest open. They are read each time the dialog opens. */
export function AnnouncementsDialog({ isOpen, onClose }: AnnouncementsDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('announcements.title')} width={640}>
      <div className={styles.list}>
        <Items />
      </div>
    </Dialog>
  );
}

function Items() {
  const { t } = useTranslation();
  const lang = useLanguage();
  const { data, error, isFetching, refetch } = useRead(
    readAnnouncements,
    { query: { lang } },
    { refetchOnMount: 'always' },
  );
  if (data === undefined && error !== null && !isFetching)
    return (
      <ErrorState
        title={t('announcements.failed.title')}
        text={t('announcements.failed.text')}
        requestId={requestIdOf(error)}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined) return <SkeletonRows count={3} />;
  if (data.length === 0)
    return <EmptyState title={t('announcements.empty.title')} text={t('announcements.empty.text')} />;
  return data.map((announcement, index) => (
    <Item key={announcement.id} announcement={announcement} isLatest={index === 0} />
  ));
}

function Item({ announcement, isLatest }: { announcement: Announcement; isLatest: boolean }) {
  const { t } = useTranslation();
  const lang = useLanguage();
  const { title, content, createdAt } = announcement;
  return (
    <details className={styles.item} open={isLatest}>
      <summary>
        <span className={styles.title}>{title}</span>
        {isLatest && (
          <span className={styles.latest}>
            <StatusBadge tone="ok">{t('announcements.latest')}</StatusBadge>
          </span>
        )}
        <time className={styles.day} dateTime={createdAt}>
          {formatDate(createdAt, lang)}
        </time>
        <IconChevronDown size={20} stroke={1.75} aria-hidden="true" />
      </summary>
      <p className={styles.content}>{content}</p>
    </details>
  );
}
