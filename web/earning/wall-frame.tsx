import { Button, Loader } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiError, requestIdOf } from '#web/client/call.ts';
import { SuspendedCard } from './suspended-card.tsx';
import { useWallUrl } from './use-wall-url.ts';
import styles from './wall-frame.module.css';

/** The time after which a loading wall is reported as slow. */
const SLOW_MS = 10_000;

type WallFrameProps = {
  id: string;
  name: string;
  /** A changed number asks for a new URL and makes a new frame. */
  attempt: number;
  onTryAgain: () => void;
  /** The button that leaves the wall. */
  onClose?: () => void;
};

/** A provider's wall in a frame, covered by a message until it has loaded or if it failed. */
export function WallFrame({ id, name, attempt, onTryAgain, onClose }: WallFrameProps) {
  const { t } = useTranslation();
  const wall = useWallUrl(id, attempt);
  const [loaded, setLoaded] = useState<number | null>(null);
  const isSlow = useSlow(attempt);
  const isBlocked = useBlockedFrame(wall.data);
  const close = onClose !== undefined && (
    <Button variant="default" onClick={onClose}>
      {t('common.close')}
    </Button>
  );
  const tryAgain = <Button onClick={onTryAgain}>{t('common.tryAgain')}</Button>;

  if (wall.isError) return <Failure error={wall.error} name={name} actions={[tryAgain, close]} />;
  if (isBlocked) {
    return (
      <Notice
        title={t('earn.dialog.failed', { provider: name })}
        text={t('earn.dialog.blockedText', { provider: name })}
      >
        <Button onClick={() => window.location.reload()}>{t('earn.dialog.reload')}</Button>
        {close}
      </Notice>
    );
  }
  return (
    <div className={styles.body}>
      {wall.data !== undefined && (
        <iframe
          key={attempt}
          className={styles.frame}
          src={wall.data}
          title={name}
          allow="clipboard-write"
          onLoad={() => setLoaded(attempt)}
        />
      )}
      {loaded !== attempt && (
        <div className={styles.waiting} role="status">
          <Loader size={36} aria-hidden="true" />
          <p className={styles.title}>
            {isSlow ? t('earn.dialog.slow') : t('earn.dialog.opening', { provider: name })}
          </p>
          {isSlow && (
            <>
              <p className={styles.text}>{t('earn.dialog.slowText', { provider: name })}</p>
              <div className={styles.actions}>
                {tryAgain}
                {close}
              </div>
            </>
          )}
        </div>
      )}
    </div>
  );
}

/** Shows why the wall's URL could not be fetched, by the error's code. */
function Failure({ error, name, actions }: { error: ApiError; name: string; actions: ReactNode[] }) {
  const { t } = useTranslation();
  const [tryAgain, close] = actions;
  if (error.code === 'earnings-suspended' || error.code === 'account-suspended') {
    return (
      <div className={styles.body}>
        <SuspendedCard code={error.code}>{close}</SuspendedCard>
      </div>
    );
  }
  const isClosed = error.code === 'unknown-provider' || error.code === 'not-found';
  return (
    <Notice
      title={t(isClosed ? 'earn.dialog.closedTitle' : 'earn.dialog.failed', { provider: name })}
      text={isClosed ? t('earn.dialog.closedText') : t(`refusals.${error.code}`)}
      requestId={isClosed ? null : requestIdOf(error)}
    >
      {tryAgain}
      {close}
    </Notice>
  );
}

type NoticeProps = { title: string; text: string; requestId?: string | null; children: ReactNode };

function Notice({ title, text, requestId = null, children }: NoticeProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.body}>
      <div className={styles.waiting} role="alert">
        <svg viewBox="0 0 96 72" className={styles.drawing} aria-hidden="true">
          <path d="M12 68V10a6 6 0 0 1 6-6h60a6 6 0 0 1 6 6v30l-12 8 10 8-14 12zM20 4v64M28 20h48M28 36h40" />
        </svg>
        <p className={styles.title}>{title}</p>
        <p className={styles.text}>
          {text}
          {requestId !== null && (
            <>
              {' '}
              {t('common.request')} <span className="mono">{requestId}</span>
            </>
          )}
        </p>
        <div className={styles.actions}>{children}</div>
      </div>
    </div>
  );
}

/** True if this attempt has taken longer than `SLOW_MS`. */
function useSlow(attempt: number): boolean {
  const [slow, setSlow] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(attempt), SLOW_MS);
    return () => clearTimeout(timer);
  }, [attempt]);
  return slow === attempt;
}

/**
 * True if the browser refused the frame. The page's content security policy allows the walls that were active when
 * the page was loaded, and a refused frame looks like an empty one.
 */
function useBlockedFrame(url: string | undefined): boolean {
  const [blocked, setBlocked] = useState<string | null>(null);
  useEffect(() => {
    if (url === undefined) return;
    const origin = new URL(url).origin;
    const notice = (event: SecurityPolicyViolationEvent) => {
      const isFrame = event.effectiveDirective === 'frame-src';
      if (isFrame && event.blockedURI.startsWith(origin)) setBlocked(url);
    };
    document.addEventListener('securitypolicyviolation', notice);
    return () => document.removeEventListener('securitypolicyviolation', notice);
  }, [url]);
  return url !== undefined && blocked === url;
}
