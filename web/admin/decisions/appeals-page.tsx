import { useSearch } from '@tanstack/react-router';
import type { DecisionSearch } from '#web/client/decision-search.ts';
import { AbsenceList } from './absence-list.tsx';
import { AppealsList } from './appeals-list.tsx';
import { MadeList } from './made-list.tsx';

/** Members' appeals, and beside them all decisions and the members who are away. */
export function AppealsPage() {
  const { tab } = useSearch({ strict: false }) as DecisionSearch;
  if (tab === 'absences') return <AbsenceList />;
  return tab === 'made' ? <MadeList /> : <AppealsList />;
}
