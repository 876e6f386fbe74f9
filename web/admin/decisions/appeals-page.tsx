import { useSearch } from '@tanstack/react-router';
import type { DecisionSearch } from '#web/client/decision-search.ts';
import { AppealsList } from './appeals-list.tsx';
import { MadeList } from './made-list.tsx';

/** Members' appeals, and beside them all decisions. */
export function AppealsPage() {
  const { tab } = useSearch({ strict: false }) as DecisionSearch;
  return tab === 'made' ? <MadeList /> : <AppealsList />;
}
