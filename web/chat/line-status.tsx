import { IconClock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MESSAGES_POLLED_EVERY_MS } from '#contract/chat.ts';
import { formatClock } from '#web/client/format.ts';
import { tryLineNow, useLineState } from '#web/client/live-line.ts';
import { useLanguage } from '#web/client/use-language.ts';
import styles from './line-status.module.css';
import { useOnlineCount } from './use-channels.ts';

/** A change of the line is told to screen readers after this time, because most losses are short. */
const TOLD_AFTER_MS = 5_000;

/** Whether the chat is live, how many members are online, and slow mode. */
export function LineStatus({ slowModeSeconds }: { slowModeSeconds: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { state, since } = useLineState();
  const online = useOnlineCount();
  const seconds = MESSAGES_POLLED_EVERY_MS.offline / 1_000;
  const time = formatClock(new Date(since).toISOString(), language);
  const text = t(`chat.line.${state}`, { seconds, time });
  return (
    <div className={styles.line}>
      <span className={styles.led} data-state={state} />
      <span>{text}</span>
      {state !== 'offline' && online !== null && (
        <>
          <span aria-hidden="true">·</span>
          <span className="num">{t('chat.line.online', { count: online })}</span>
        </>
      )}
      {state === 'offline' ? (
        <button type="button" className={`${styles.end} ${styles.button}`} onClick={tryLineNow}>
          {t('chat.line.tryNow')}
        </button>
      ) : (
        slowModeSeconds > 0 && (
          <span className={`${styles.end} ${styles.slow}`}>
            <IconClock size={14} stroke={2} aria-hidden="true" />
            {t('chat.line.slowMode', { seconds: slowModeSeconds })}
          </span>
        )
      )}
      <TellLater text={text} />
    </div>
  );
}

function TellLater({ text }: { text: string }) {
  const [told, setTold] = useState('');
  const [first] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setTold(text), TOLD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span className="visually-hidden" role="status">
      {told === first ? '' : told}
    </span>
  );
}
