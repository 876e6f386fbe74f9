import type { ServerEvent } from '#contract/events.ts';

/** Who is typing in a channel, with the time at which each mark ends. */
export type Typists = ReadonlyMap<string, { firstName: string; until: number }>;

type TypingEvent = Extract<ServerEvent, { type: 'user_typing' | 'stop_typing' }>;

export function withTyping(before: Typists, event: TypingEvent, now: number, shownMs: number): Typists {
  const next = new Map(withoutExpired(before, now));
  if (event.type === 'stop_typing') next.delete(event.userId);
  else next.set(event.userId, { firstName: event.firstName, until: now + shownMs });
  return next;
}

export const withoutExpired = (before: Typists, now: number): Typists =>
  new Map([...before].filter(([, { until }]) => until > now));

/** When the next mark ends; null without one. */
export const nextEnd = (typists: Typists): number | null =>
  typists.size === 0 ? null : Math.min(...[...typists.values()].map(({ until }) => until));
