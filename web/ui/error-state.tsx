import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './list-state.module.css';

type ErrorStateProps = {
  title: string;
  text: string;
  requestId: string | null;
  onRetry: () => void;
  /** `h1` if the error is the only content of the page. */
  titleAs?: 'p' | 'h1';
};

/** Shows what failed, what is unaffected, and a button to try again. */
export function ErrorState({ title, text, requestId, onRetry, titleAs: Title = 'p' }: ErrorStateProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.state} role="alert">
      <svg viewBox="0 0 96 72" aria-hidden="true">
        <path d="M12 68V10a6 6 0 0 1 6-6h60a6 6 0 0 1 6 6v30l-12 8 10 8-14 12zM20 4v64M28 20h48M28 36h40" />
      </svg>
      <Title className={styles.title}>{title}</Title>
      <p className={styles.text}>
        {text}
        {requestId !== null && (
          <>
            {' '}
            {t('common.request')} <span className="mono">{requestId}</span>
          </>
        )}
      </p>
      <Button variant="default" onClick={onRetry}>
        {t('common.tryAgain')}
      </Button>
    </div>
  );
}
