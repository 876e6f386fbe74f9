import { randomUUID } from 'node:crypto';
import { ONLINE_BY_CALL_MS } from '#contract/chat.ts';
import type { Bus, PresenceNews } from './bus.ts';

/**
 * Who is online: whoever has an open socket, or said so by a call within a minute. Saying to be offline ends both, until
 * the next call or the next socket. Nodes tell each other over the bus: what changed each second, and everybody each ten
 * seconds, because a message can be lost. Without Redis a node knows its own.
 */
const TICK_MS = 1_000;
const TOLD_WHOLE_EVERY_MS = 10_000;
/** A node that was not heard of for longer is gone. */
const NODE_MS_MAX = 30_000;
const COUNTED_EVERY_MS = 2_000;

/** A member of this node. `isHidden`: said to be offline since the newest socket was opened. */
type Here = { sockets: number; isHidden: boolean; saidAtMs: number };
type Node = { heardAtMs: number; online: Set<number> };
type Act = 'hidden' | 'shown';

export type Presence = ReturnType<typeof createPresence>;

export function createPresence(bus: Pick<Bus, 'tellPresence' | 'onPresence'>, nowMs: () => number) {
  const node = randomUUID();
  const here = new Map<number, Here>();
  const others = new Map<string, Node>();
  const countListeners: ((count: number) => void)[] = [];
  /** What the other nodes were told. */
  let told = new Set<number>();
  let toldWholeAtMs = Number.NEGATIVE_INFINITY;
  const acts = new Map<number, Act>();
  const counted = { count: 0, atMs: Number.NEGATIVE_INFINITY };
  let known: number[] | undefined;

  const isOnline = ({ sockets, isHidden, saidAtMs }: Here) =>
    !isHidden && (sockets > 0 || nowMs() - saidAtMs < ONLINE_BY_CALL_MS);
  const onlineHere = () => [...here].filter(([, member]) => isOnline(member)).map(([memberId]) => memberId);
  const online = (): number[] => {
    if (known !== undefined) return known;
    const all = new Set(onlineHere());
    for (const other of others.values()) for (const memberId of other.online) all.add(memberId);
    known = [...all];
    return known;
  };
  const change = (memberId: number, fields: Partial<Here>) => {
    const before = here.get(memberId) ?? { sockets: 0, isHidden: false, saidAtMs: Number.NEGATIVE_INFINITY };
    here.set(memberId, { ...before, ...fields });
    known = undefined;
  };
  const show = (memberId: number, fields: Partial<Here>) => {
    change(memberId, { ...fields, isHidden: false });
    acts.set(memberId, 'shown');
  };
  const hide = (memberId: number) => {
    change(memberId, { isHidden: true, saidAtMs: Number.NEGATIVE_INFINITY });
    for (const other of others.values()) other.online.delete(memberId);
  };

  const hear = (news: PresenceNews) => {
    if (news.node === node) return;
    const other = news.isWhole ? new Set<number>() : (others.get(news.node)?.online ?? new Set<number>());
    for (const memberId of news.came) other.add(memberId);
    for (const memberId of news.went) other.delete(memberId);
    others.set(news.node, { heardAtMs: nowMs(), online: other });
    for (const memberId of news.hidden) hide(memberId);
    for (const memberId of news.shown) if (here.has(memberId)) change(memberId, { isHidden: false });
    known = undefined;
  };
  const tellOthers = () => {
    const isWhole = nowMs() - toldWholeAtMs >= TOLD_WHOLE_EVERY_MS;
    const now = new Set(onlineHere());
    const came = isWhole ? [...now] : [...now].filter((memberId) => !told.has(memberId));
    const went = isWhole ? [] : [...told].filter((memberId) => !now.has(memberId));
    const those = (act: Act) => [...acts].filter(([, one]) => one === act).map(([memberId]) => memberId);
    const news = { node, isWhole, came, went, hidden: those('hidden'), shown: those('shown') };
    told = now;
    acts.clear();
    if (isWhole) toldWholeAtMs = nowMs();
    else if (came.length + went.length + news.hidden.length + news.shown.length === 0) return;
    bus.tellPresence(news);
  };
  const forgetGone = () => {
    for (const [memberId, member] of here)
      if (member.sockets === 0 && !isOnline(member)) here.delete(memberId);
    for (const [name, { heardAtMs }] of others) if (nowMs() - heardAtMs >= NODE_MS_MAX) others.delete(name);
    known = undefined;
  };
  const tellCount = () => {
    const count = online().length;
    if (count === counted.count || nowMs() - counted.atMs < COUNTED_EVERY_MS) return;
    Object.assign(counted, { count, atMs: nowMs() });
    for (const listener of countListeners) listener(count);
  };

  bus.onPresence(hear);
  return {
    goOnline: (memberId: number): void => show(memberId, { saidAtMs: nowMs() }),
    goOffline: (memberId: number): void => {
      hide(memberId);
      acts.set(memberId, 'hidden');
    },
    /** The members who are online now, at any node, in no order. */
    online,
    openSocket: (memberId: number): void =>
      show(memberId, { sockets: (here.get(memberId)?.sockets ?? 0) + 1 }),
    closeSocket: (memberId: number): void =>
      change(memberId, { sockets: Math.max(0, (here.get(memberId)?.sockets ?? 0) - 1) }),
    /** Calls the listener when the number of members who are online has changed, at most once every 2 seconds. */
    onCount: (listener: (count: number) => void): void => void countListeners.push(listener),
    /** Ends what has run out, and tells the other nodes and the listeners what changed. */
    tick: (): void => {
      forgetGone();
      tellOthers();
      tellCount();
    },
  };
}

/** The presence of a node while it runs. The second function stops it. */
export function startPresence(bus: Bus): [Presence, () => void] {
  const presence = createPresence(bus, () => performance.now());
  const timer = setInterval(presence.tick, TICK_MS).unref();
  return [presence, () => clearInterval(timer)];
}
