import { useSearch } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { SupportSearch, SupportTab } from '#web/client/support-search.ts';
import { TicketsTab } from './tickets-tab.tsx';

/**
 * The operators' support desk. The tab is in the URL. A tab shows the whole screen: it has `DeskTitle` or, in a list,
 * `DeskTabs` at its head.
 */

const contents: Record<SupportTab, ComponentType> = { tickets: TicketsTab };

export function SupportPage() {
  const { tab = 'tickets' } = useSearch({ strict: false }) as SupportSearch;
  const Content = contents[tab];
  return <Content />;
}
