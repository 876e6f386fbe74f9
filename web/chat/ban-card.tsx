import { IconHandStop } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatBan } from '#contract/chat.ts';
import { formatTime } from '#web/client/format.ts';
import { useLanguage } from '#web/client/use-language.ts';
import styles from './composer.module.css';
import { untilTime } from './until-time.ts';

const LOOKED_EVERY_MS = 30_000;

/** Stands in the place of the field while a member may not write. `onEnd` is called when the ban's time has passed. */
export function BanCard({ ban, onEnd }: { ban: ChatBan; onEnd: () => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { reason, expiresAt } = ban;
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (expiresAt === null) return;
    const leftMs = new Date(expiresAt).getTime() - now.getTime();
    const timer = setTimeout(
      () => {
        setNow(new Date());
        if (leftMs <= LOOKED_EVERY_MS) onEnd();
      },
      Math.min(Math.max(1_000, leftMs), LOOKED_EVERY_MS),
    );
    return () => clearTimeout(timer);
  }, [expiresAt, now, onEnd]);
  const from = expiresAt === null ? '' : untilTime(expiresAt, language, now);
  return (
    <div className={styles.composer}>
      <div className={styles.note} data-tone="bad" role="alert">
        <IconHandStop size={20} stroke={1.75} aria-hidden="true" />
        <div>
          <p>
            <b>{t('chat.ban.title')}</b>
          </p>
          <p dir="auto">
            {t('chat.ban.reason', { reason: reason === '' ? t('chat.ban.noReason') : reason })}
          </p>
          <p>
            {expiresAt === null
              ? t('chat.ban.permanent')
              : t('chat.ban.expires', { time: formatTime(expiresAt, language, now), from })}
          </p>
        </div>
      </div>
      <p className={styles.rest}>
        {t('chat.ban.rest')}{' '}
        <Link to="/decisions" className="link">
          {t('chat.ban.appeal')}
        </Link>
      </p>
    </div>
  );
}
