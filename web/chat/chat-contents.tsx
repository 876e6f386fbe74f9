import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiError, requestIdOf } from '#web/client/call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import styles from './chat-contents.module.css';
import type { TalkKind } from './talk-kind.ts';

type ChatContentsProps = {
  kind: TalkKind;
  isReady: boolean;
  isEmpty: boolean;
  failure: ApiError | null;
  retry: () => void;
  write: () => void;
  children: ReactNode;
};

/** Whether the channel is closed to the member, who therefore can't write either. */
export const isClosedBy = (failure: ApiError | null): boolean => failure?.code === 'account-suspended';

/** The messages, or what stands in their place: that they are loading, that they did not load, that there are none. */
export function ChatContents(props: ChatContentsProps) {
  const { kind, isReady, isEmpty, failure, retry, write, children } = props;
  const { t } = useTranslation();
  if (isClosedBy(failure)) {
    return (
      <div className={styles.state}>
        <EmptyState title={t('chat.closed.title')} text={t('chat.closed.text')} />
      </div>
    );
  }
  if (failure !== null) {
    return (
      <div className={styles.state}>
        <ErrorState
          title={t(`chat.of.${kind}.failed`)}
          text={`${t('chat.loadFailed')} ${t(`refusals.${failure.code}`)}`}
          requestId={requestIdOf(failure)}
          onRetry={retry}
        />
      </div>
    );
  }
  if (!isReady) {
    return (
      <div className={styles.loading} aria-busy="true">
        <span className="visually-hidden">{t('chat.loading')}</span>
        <div>
          <i data-sign />
          <i data-width="62" />
        </div>
        <i data-width="48" />
      </div>
    );
  }
  if (!isEmpty) return children;
  return (
    <div className={`${styles.state} ${styles.empty}`}>
      <svg viewBox="0 0 96 72" aria-hidden="true">
        <path d="M14 66l4-13C10 42 12 26 26 16c16-11 40-9 52 4 12 12 11 31-2 41-13 9-33 9-47 2z" />
        <path d="M32 34h32M32 46h20" />
      </svg>
      <h3>{t('chat.empty.title')}</h3>
      <p>{t('chat.empty.text')}</p>
      <Button onClick={write}>{t('chat.empty.action')}</Button>
    </div>
  );
}
