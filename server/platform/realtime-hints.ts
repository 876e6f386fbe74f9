import type { ServerEvent, WaitingTopic } from '#contract/events.ts';
import type { Bus } from './bus.ts';
import type { Config } from './config.ts';
import type { Caller } from './http/caller.ts';

/**
 * Hints to operators' sockets that something waits or does not any more, after the commit that changed it. The frame
 * names topics and no member; the screens read again by authorised calls. They are collected and sent at most once a
 * second.
 */
const PAUSE_MS = 1_000;

/** Whether the caller of a socket may make operators' calls. */
export const isOperator = (
  { adminGateKey }: Config,
  caller: Pick<Caller, 'role' | 'isSuspended' | 'hasPassedGate'> | undefined,
): boolean =>
  caller?.role === 'admin' && !caller.isSuspended && (adminGateKey === null || caller.hasPassedGate);

/** What a member's news means to operators. */
function topicsOf(event: ServerEvent): readonly WaitingTopic[] {
  if (event.type === 'withdrawal') return ['queue'];
  if (event.type === 'ticket') return ['tickets'];
  if (event.type === 'claim') return ['claims'];
  return event.type === 'notice' && event.kind === 'held' ? ['approvals'] : [];
}

/** Sends hints while the node runs. Returns a function that stops it. */
export function hintOperators(bus: Bus, push: (event: ServerEvent) => void): () => void {
  const changed = new Set<WaitingTopic>();
  let timer: NodeJS.Timeout | undefined;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  const send = () => {
    timer = undefined;
    sentAtMs = performance.now();
    const topics = [...changed];
    changed.clear();
    push({ type: 'waiting', topics });
  };
  const hint = (topics: readonly WaitingTopic[]) => {
    if (topics.length === 0) return;
    for (const topic of topics) changed.add(topic);
    timer ??= setTimeout(send, Math.max(0, sentAtMs + PAUSE_MS - performance.now())).unref();
  };
  bus.onWaiting(hint);
  // Other nodes hear the same news by themselves.
  bus.onNews(({ event }) => hint(topicsOf(event)));
  return () => clearTimeout(timer);
}
