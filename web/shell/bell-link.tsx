import { IconBell } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readNotices } from '#contract/notices.ts';
import { useRead } from '#web/client/use-call.ts';
import styles from './top-bar.module.css';

const newest = { query: { page: '1', limit: '1' } };
/** The count is read this long after the bar is shown, so that it delays nothing that the member waits for. */
const READ_AFTER_MS = 1_000;
const COUNT_SHOWN_MAX = 99;

/** The bell of the top bar with the number of unread notices. */
export function BellLink() {
  const { t } = useTranslation();
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const count = useRead(readNotices, newest, { enabled: isTime }).data?.unreadCount ?? 0;
  const shown = count > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : String(count);
  return (
    <Link to="/notices" className={styles.bell} aria-label={t('nav.noticesCount', { count, shown })}>
      <IconBell size={20} stroke={1.75} aria-hidden="true" />
      {count > 0 && (
        <span className={`num ${styles.count}`} aria-hidden="true">
          {shown}
        </span>
      )}
    </Link>
  );
}
