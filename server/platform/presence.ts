import { randomUUID } from 'node:crypto';
import { ONLINE_BY_CALL_MS } from '#contract/chat.ts';
import type { Bus, PresenceNews } from './bus.ts';

/**
 * Who is online: whoever has an open socket, or said so by a call within a minute. Saying to be offline ends both,
 * until the next call or the next socket. Nodes tell each other over the bus: what changed each second, and everybody
 * each ten seconds, because a message can be lost. Without Redis a node knows its own.
 */
export const TICK_MS = 1_000;
const TOLD_WHOLE_EVERY_MS = 10_000;
/** A node that was not heard of for longer is gone. */
const NODE_MS_MAX = 30_000;
const COUNTED_EVERY_MS = 2_000;

/** A member of this node. `isHidden`: said to be offline since the newest socket was opened. */
type Here = { sockets: number; isHidden: boolean; saidAtMs: number };
const unknown: Here = { sockets: 0, isHidden: false, saidAtMs: Number.NEGATIVE_INFINITY };

/** The members who are online by what this node knows itself. */
function createMembersHere(nowMs: () => number) {
  const here = new Map<number, Here>();
  const isOnline = ({ sockets, isHidden, saidAtMs }: Here) =>
    !isHidden && (sockets > 0 || nowMs() - saidAtMs < ONLINE_BY_CALL_MS);
  const of = (memberId: number): Here => here.get(memberId) ?? unknown;
  const change = (memberId: number, fields: Partial<Here>) =>
    void here.set(memberId, { ...of(memberId), ...fields });
  return {
    online: () => [...here].filter(([, member]) => isOnline(member)).map(([memberId]) => memberId),
    say: (memberId: number) => change(memberId, { isHidden: false, saidAtMs: nowMs() }),
    hide: (memberId: number) => change(memberId, { isHidden: true, saidAtMs: Number.NEGATIVE_INFINITY }),
    show: (memberId: number) => change(memberId, { isHidden: false }),
    openSocket: (memberId: number) =>
      change(memberId, { isHidden: false, sockets: of(memberId).sockets + 1 }),
    closeSocket: (memberId: number) => change(memberId, { sockets: Math.max(0, of(memberId).sockets - 1) }),
    forgetGone: () => {
      for (const [memberId, member] of here)
        if (member.sockets === 0 && !isOnline(member)) here.delete(memberId);
    },
  };
}

/** The members who are online at other nodes, by what these have told. */
function createMembersThere(nowMs: () => number) {
  const nodes = new Map<string, { heardAtMs: number; online: Set<number> }>();
  return {
    online: () => [...nodes.values()].flatMap(({ online }) => [...online]),
    hear: ({ node, isWhole, came, went }: PresenceNews) => {
      const online = (isWhole ? undefined : nodes.get(node)?.online) ?? new Set<number>();
      for (const memberId of came) online.add(memberId);
      for (const memberId of went) online.delete(memberId);
      nodes.set(node, { heardAtMs: nowMs(), online });
    },
    hide: (memberId: number) => {
      for (const { online } of nodes.values()) online.delete(memberId);
    },
    forgetGone: () => {
      for (const [name, { heardAtMs }] of nodes) if (nowMs() - heardAtMs >= NODE_MS_MAX) nodes.delete(name);
    },
  };
}

/** Makes a function that tells the other nodes what changed here, with what members said since. */
function createTelling(node: string, nowMs: () => number, tell: (news: PresenceNews) => void) {
  let told = new Set<number>();
  let toldWholeAtMs = Number.NEGATIVE_INFINITY;
  return (online: readonly number[], hidden: number[], shown: number[]) => {
    const isWhole = nowMs() - toldWholeAtMs >= TOLD_WHOLE_EVERY_MS;
    const now = new Set(online);
    const came = isWhole ? [...now] : online.filter((memberId) => !told.has(memberId));
    const went = isWhole ? [] : [...told].filter((memberId) => !now.has(memberId));
    told = now;
    if (isWhole) toldWholeAtMs = nowMs();
    else if (came.length + went.length + hidden.length + shown.length === 0) return;
    tell({ node, isWhole, came, went, hidden, shown });
  };
}

export type Presence = ReturnType<typeof createPresence>;

export function createPresence(
  bus: Pick<Bus, 'tellPresence' | 'onPresence'>,
  nowMs: () => number = () => performance.now(),
) {
  const node = randomUUID();
  const here = createMembersHere(nowMs);
  const there = createMembersThere(nowMs);
  const tellOthers = createTelling(node, nowMs, bus.tellPresence);
  /** What members said since the others were told: the newest word of each. */
  const words = new Map<number, 'hidden' | 'shown'>();
  const said = (word: 'hidden' | 'shown') =>
    [...words].filter(([, one]) => one === word).map(([memberId]) => memberId);
  const countListeners: ((count: number) => void)[] = [];
  const counted = { count: 0, atMs: Number.NEGATIVE_INFINITY };
  /** Kept until something changes, because many ask. */
  let known: number[] | undefined;

  const online = (): number[] => {
    known ??= [...new Set([...here.online(), ...there.online()])];
    return known;
  };
  const note = (act: (memberId: number) => void, word?: 'hidden' | 'shown') => (memberId: number) => {
    act(memberId);
    if (word !== undefined) words.set(memberId, word);
    known = undefined;
  };
  const hide = (memberId: number) => {
    here.hide(memberId);
    there.hide(memberId);
  };
  const tellCount = () => {
    const count = online().length;
    if (count === counted.count || nowMs() - counted.atMs < COUNTED_EVERY_MS) return;
    Object.assign(counted, { count, atMs: nowMs() });
    for (const listener of countListeners) listener(count);
  };
  bus.onPresence((news) => {
    there.hear(news);
    for (const memberId of news.hidden) hide(memberId);
    for (const memberId of news.shown) here.show(memberId);
    known = undefined;
  });
  return {
    goOnline: note(here.say, 'shown'),
    goOffline: note(hide, 'hidden'),
    /** The members who are online now, at any node, in no order. */
    online,
    openSocket: note(here.openSocket, 'shown'),
    closeSocket: note(here.closeSocket),
    /** Calls the listener when the number of members who are online has changed, at most once every 2 seconds. */
    onCount: (listener: (count: number) => void): void => void countListeners.push(listener),
    /** Ends what has run out, and tells the other nodes and the listeners what changed. Called each `TICK_MS`. */
    tick: (): void => {
      here.forgetGone();
      there.forgetGone();
      known = undefined;
      tellOthers(here.online(), said('hidden'), said('shown'));
      words.clear();
      tellCount();
    },
  };
}
