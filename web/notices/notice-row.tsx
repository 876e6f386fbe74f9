import {
  IconArrowBackUp,
  IconArrowUpRight,
  IconCheck,
  IconClock,
  IconGift,
  IconHandStop,
  IconHelpCircle,
  IconLogin2,
  IconMessage2,
  IconShieldLock,
  IconX,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { alwaysMailed } from '#contract/notice-kinds.ts';
import type { Notice } from '#contract/notices.ts';
import { formatTime, shortenMiddle } from '#web/client/format.ts';
import { useProviders } from '#web/client/session.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import button from '#web/ui/plain-button.module.css';
import { findRail, useRails, useRailWords } from '#web/ui/rails.ts';
import rows from '#web/ui/rows.module.css';
import type { BadgeTone } from '#web/ui/status-badge.tsx';
import { pageOf, reasonOf, textOf, titleOf } from './describe.ts';
import styles from './notice-row.module.css';

const icons = {
  paid: IconArrowUpRight,
  rejected: IconX,
  chargeback: IconArrowBackUp,
  held: IconClock,
  approved: IconCheck,
  granted: IconGift,
  decision: IconHandStop,
  ticket: IconHelpCircle,
  message: IconMessage2,
  'sign-in': IconLogin2,
  security: IconShieldLock,
} as const;

const tones: Record<Notice['kind'], BadgeTone> = {
  paid: 'ok',
  rejected: 'bad',
  chargeback: 'bad',
  held: 'wait',
  approved: 'ok',
  granted: 'ok',
  decision: 'warn',
  ticket: 'wait',
  message: 'wait',
  'sign-in': 'warn',
  security: 'warn',
};

type NoticeRowProps = {
  notice: Notice;
  /** It was unread when the page was opened. */
  isNew: boolean;
  onDeny: () => void;
};

/** A notice: what happened, when, the way to more, and for acts that another person may have done, to say so. */
export function NoticeRow({ notice, isNew, onDeny }: NoticeRowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const providerOf = useProviders();
  const { nameOf } = useRailWords();
  const Icon = icons[notice.kind];
  const { data: rails } = useRails();
  const names = {
    provider: (id: string) => providerOf(id)?.name ?? id,
    method: nameOf,
    currency: (method: string) => findRail(rails, method)?.currency ?? '',
  };
  const recipient = notice.kind === 'security' ? notice.facts.address : null;
  const reason = reasonOf(notice);
  const reference = notice.kind === 'paid' ? notice.facts.reference : null;
  const change = notice.kind === 'security' ? notice.facts.change : null;
  const isFirstPhone = change === 'first-phone';
  const isDeniable = alwaysMailed.includes(notice.kind) && change !== 'denied' && !isFirstPhone;
  return (
    <li className={styles.row} data-unread={isNew || undefined}>
      <span className={clsx(rows.plate, styles.plate)} data-tone={isFirstPhone ? 'ok' : tones[notice.kind]}>
        <Icon size={20} stroke={1.75} aria-hidden="true" />
      </span>
      <div className={styles.words}>
        <p className={styles.title}>
          {isNew && <span className={styles.dot} aria-hidden="true" />}
          <Link {...pageOf(notice)} className={styles.link}>
            {titleOf(notice, t)}
          </Link>
          {isNew && <span className="visually-hidden"> ({t('notices.new')})</span>}
        </p>
        <p className={styles.text}>
          {textOf(notice, names, t, language)}
          {notice.kind === 'sign-in' && ', '}
          {notice.kind === 'sign-in' && <span className="mono">{notice.facts.address}</span>}
        </p>
        {recipient !== null && (
          <p className={styles.text}>
            {t('notices.to')} <span className="mono">{recipient}</span>
          </p>
        )}
        {reason !== '' && <p className={styles.text}>{t('notices.reason', { reason })}</p>}
        {reference !== null && (
          <p className={styles.text}>
            {t('notices.transaction')}{' '}
            <span className={styles.transaction}>
              <span className="mono" title={reference}>
                {shortenMiddle(reference)}
              </span>
              <CopyButton text={reference} label={t('notices.copy')} />
            </span>
          </p>
        )}
        <p className={rows.meta}>
          <time dateTime={notice.createdAt}>{formatTime(notice.createdAt, language)}</time>
        </p>
      </div>
      {isDeniable && (
        <button
          type="button"
          className={clsx(button.button, button.small, button.outline, styles.deny)}
          onClick={onDeny}
        >
          {t('notices.deny.open')}
        </button>
      )}
    </li>
  );
}
