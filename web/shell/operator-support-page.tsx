import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { DeskPage } from '#web/admin/support/desk-page.tsx';
import { TicketsTab } from '#web/admin/support/tickets-tab.tsx';
import type { SupportSearch } from '#web/client/support-search.ts';
import { withWords } from '#web/client/words.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';

// Most who open the desk answer tickets, so the other tab is loaded when it is opened.
const BroadcastTab = lazy(() =>
  withWords(
    import('#web/admin/broadcasts/broadcast-tab.tsx').then((file) => ({ default: file.BroadcastTab })),
    'admin/broadcasts',
  ),
);

/** The operators' support desk: the tickets, and broadcast e-mail. The tab is in the URL. */
export function OperatorSupportPage() {
  const { tab = 'tickets' } = useSearch({ strict: false }) as SupportSearch;
  if (tab === 'tickets') return <TicketsTab />;
  return (
    <DeskPage tab={tab}>
      <Suspense fallback={<SkeletonRows count={6} />}>
        <BroadcastTab />
      </Suspense>
    </DeskPage>
  );
}
