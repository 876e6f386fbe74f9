import { useTranslation } from 'react-i18next';
import { ErrorState } from '#web/ui/error-state.tsx';

/**
 * In place of a page whose code did not come (no connection, or a newer release took its files) or that broke.
 * Loading the document again gets whatever the server has now.
 */
export function PageFailed() {
  const { t } = useTranslation();
  return (
    <div className="card">
      <ErrorState
        title={t('common.pageFailed.title')}
        text={t('common.pageFailed.text')}
        requestId={null}
        titleAs="h1"
        onRetry={() => window.location.reload()}
      />
    </div>
  );
}
