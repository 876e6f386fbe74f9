import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OverviewDays } from '#contract/overview.ts';
import { requestIdOf } from '#web/client/call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { useOverviewDays } from './use-overview-days.ts';

/** Shows what `children` makes of the site's days, and a card while they are read or can't be. */
export function DaysCard({
  title,
  children,
}: {
  title: string;
  children: (days: OverviewDays) => ReactNode;
}) {
  const { t } = useTranslation();
  const read = useOverviewDays();
  if (read.data !== undefined) return children(read.data);
  return (
    <section className="card" aria-label={title}>
      {read.isError ? (
        <ErrorState
          title={t('common.failed')}
          text={t(`refusals.${read.error.code}`)}
          requestId={requestIdOf(read.error)}
          onRetry={() => void read.refetch()}
        />
      ) : (
        <SkeletonRows count={4} />
      )}
    </section>
  );
}
