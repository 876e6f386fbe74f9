import { useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import type { SupportSearch } from '#web/client/support-search.ts';
import { DetailedView } from './detailed-view.tsx';
import type { Drafts } from './drafts.ts';
import { SimpleView } from './simple-view.tsx';

/** The tickets in one of the two specified views. Each has its own calls. */
export function TicketsTab() {
  const { view } = useSearch({ strict: false }) as SupportSearch;
  const { current: drafts } = useRef<Drafts>(new Map());
  const View = view === 'simple' ? SimpleView : DetailedView;
  return <View drafts={drafts} />;
}
