import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type ApiError, requestIdOf } from '#web/client/call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';

export function ListSkeleton() {
  return (
    <div className="card">
      <SkeletonRows count={4} />
    </div>
  );
}

export function ListFailure({ read }: { read: UseQueryResult<unknown, ApiError> }) {
  const { t } = useTranslation();
  return (
    <div className="card">
      <ErrorState
        title={t('common.failed')}
        text={t(`refusals.${read.error?.code ?? 'internal'}`)}
        requestId={requestIdOf(read.error)}
        onRetry={() => void read.refetch()}
      />
    </div>
  );
}
