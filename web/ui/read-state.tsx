import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type ApiError, requestIdOf } from '#web/client/call.ts';
import { ErrorState } from './error-state.tsx';
import { SkeletonRows } from './skeleton-rows.tsx';

type ReadFailureProps = {
  read: Pick<UseQueryResult<unknown, ApiError>, 'error' | 'refetch'>;
  title?: string;
  /** What stands before the reason. */
  text?: string;
};

type ReadStateProps = ReadFailureProps & {
  /** How many rows are expected. */
  rows: number;
};

/** Stands in for what is being read or could not be read. */
export function ReadState({ rows, ...failure }: ReadStateProps) {
  return failure.read.error === null ? <SkeletonRows count={rows} /> : <ReadFailure {...failure} />;
}

/** Why something could not be read, and a button to try again. */
export function ReadFailure({ read, title, text }: ReadFailureProps) {
  const { t } = useTranslation();
  const reason = t(`refusals.${read.error?.code ?? 'internal'}`);
  return (
    <ErrorState
      title={title ?? t('common.failed')}
      text={text === undefined ? reason : `${text} ${reason}`}
      requestId={requestIdOf(read.error)}
      onRetry={() => void read.refetch()}
    />
  );
}
