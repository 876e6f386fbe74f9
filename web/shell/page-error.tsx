import { useTranslation } from 'react-i18next';
import { ErrorState } from '#web/ui/error-state.tsx';

/**
 * Shown instead of a page that threw, or whose code could not be loaded (no connection, or files removed by a newer
 * release). A reload fetches the current release.
 */
export function PageError() {
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
