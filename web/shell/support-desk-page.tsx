import { useSearch } from '@tanstack/react-router';
import { BroadcastTab } from '#web/admin/broadcasts/broadcast-tab.tsx';
import { DeskFrame } from '#web/admin/support/desk-tabs.tsx';
import { TicketsTab } from '#web/admin/support/tickets-tab.tsx';
import type { SupportSearch } from '#web/client/support-search.ts';

/** The operators' support desk: the tickets, and broadcast e-mail. The tab is in the URL. */
export function SupportDeskPage() {
  const { tab = 'tickets' } = useSearch({ strict: false }) as SupportSearch;
  if (tab === 'tickets') return <TicketsTab />;
  return (
    <DeskFrame tab={tab}>
      <BroadcastTab />
    </DeskFrame>
  );
}
