import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MESSAGE_CHARACTERS_MAX } from '#contract/message.ts';
import { formatPoints } from '#web/client/format.ts';
import styles from './composer.module.css';

/** From so many characters left on, the counter says how many. */
const WARNED_FROM = 150;

type ComposerHintProps = { id: string; length: number; waitS: number; kept: 'kept' | 'keptUnseen' | null };

/** The line under the field: what the keys do, and how many characters there are or may still be. */
export function ComposerHint({ id, length, waitS, kept }: ComposerHintProps) {
  const { t } = useTranslation();
  const most = formatPoints(MESSAGE_CHARACTERS_MAX);
  const left = MESSAGE_CHARACTERS_MAX - length;
  if (left < 0) {
    return (
      <p className={styles.tooLong} id={id} role="alert">
        <IconAlertTriangle size={16} stroke={2} aria-hidden="true" />
        <span>{t('chat.tooLong', { count: -left, most })}</span>
      </p>
    );
  }
  const text = waitS > 0 ? t('chat.hint.slow', { seconds: waitS }) : t(`chat.hint.${kept ?? 'keys'}`);
  return (
    <p className={styles.hint} id={id}>
      <span>{text}</span>
      {left <= WARNED_FROM ? (
        <span className={`num ${styles.left}`}>{t('chat.left', { count: left })}</span>
      ) : (
        <span className="num">{t('chat.count', { count: formatPoints(length), most })}</span>
      )}
    </p>
  );
}

/** Tells a screen reader the end of the wait. Its seconds are not told. */
export function CanSend({ waitS }: { waitS: number }) {
  const { t } = useTranslation();
  const [hasWaited, setWaited] = useState(false);
  useEffect(() => {
    if (waitS > 0) setWaited(true);
  }, [waitS]);
  return (
    <span className="visually-hidden" role="status">
      {hasWaited && waitS === 0 ? t('chat.canSend') : ''}
    </span>
  );
}
