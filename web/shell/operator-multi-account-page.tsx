import { useSearch } from '@tanstack/react-router';
import { SuspensionsPage } from '#web/admin/members/suspensions-page.tsx';
import { DetectionsPage } from '#web/admin/risk/detections-page.tsx';
import { useMultiAccountViews } from '#web/admin/risk/use-multi-account-views.ts';
import type { MultiAccountSearch } from '#web/client/fraud-search.ts';

/** The suspensions of members, and beside them the accounts that may be one person's. */
export function MultiAccountPage() {
  const { tab } = useSearch({ strict: false }) as MultiAccountSearch;
  const views = useMultiAccountViews(tab ?? 'suspensions');
  return tab === 'detections' ? <DetectionsPage views={views} /> : <SuspensionsPage views={views} />;
}
