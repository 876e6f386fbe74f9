import {
  IconArrowBackUp,
  IconArrowUpRight,
  IconCheck,
  IconClock,
  IconLogin2,
  IconShieldLock,
  IconX,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { alwaysMailed } from '#contract/notice-kinds.ts';
import type { Notice } from '#contract/notices.ts';
import { formatTime, shortenMiddle } from '#web/client/format.ts';
import { useProviders } from '#web/client/session.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import button from '#web/ui/plain-button.module.css';
import { useRailWords } from '#web/ui/rails.ts';
import rows from '#web/ui/rows.module.css';
import { pageOf, reasonOf, textOf, titleOf } from './describe.ts';
import styles from './notice-row.module.css';

const icons = {
  paid: IconArrowUpRight,
  rejected: IconX,
  chargeback: IconArrowBackUp,
  held: IconClock,
  approved: IconCheck,
  'sign-in': IconLogin2,
  security: IconShieldLock,
} as const;

type NoticeRowProps = {
  notice: Notice;
  /** It was unread when the page was opened. */
  isNew: boolean;
  onDeny: () => void;
};

/** A notice: what happened, when, the way to more, and for acts that another person may have done, to say so. */
export function NoticeRow({ notice, isNew, onDeny }: NoticeRowProps) {
  const { t, i18n } = useTranslation();
  const providerOf = useProviders();
  const { nameOf } = useRailWords();
  const Icon = icons[notice.kind];
  const names = { provider: (id: string) => providerOf(id)?.name ?? id, method: nameOf };
  const reason = reasonOf(notice);
  const reference = notice.kind === 'paid' ? notice.facts.reference : null;
  const isDenial = notice.kind === 'security' && notice.facts.change === 'denied';
  const isDeniable = alwaysMailed.includes(notice.kind) && !isDenial;
  return (
    <li data-new={isNew || undefined}>
      <span className={rows.plate}>
        <Icon size={20} stroke={1.75} aria-hidden="true" />
      </span>
      <div className={styles.words}>
        <p className={rows.title}>
          <Link to={pageOf(notice)} className={styles.link}>
            {titleOf(notice, t)}
          </Link>
          {isNew && <span className="visually-hidden"> ({t('notices.new')})</span>}
        </p>
        <p className={styles.text}>{textOf(notice, names, t, i18n.language)}</p>
        {reason !== '' && <p className={styles.text}>{t('notices.reason', { reason })}</p>}
        {reference !== null && (
          <p className={styles.text}>
            {t('notices.transaction')}{' '}
            <span className="mono" title={reference}>
              {shortenMiddle(reference)}
            </span>{' '}
            <CopyButton text={reference} label={t('notices.copy')} />
          </p>
        )}
        <p className={rows.meta}>
          <time dateTime={notice.createdAt}>{formatTime(notice.createdAt, i18n.language)}</time>
        </p>
      </div>
      {isDeniable && (
        <button type="button" className={`${button.button} ${styles.deny}`} onClick={onDeny}>
          {t('notices.deny.open')}
        </button>
      )}
    </li>
  );
}
