import { Counter, Gauge } from 'prom-client';
import type { WebSocket } from 'ws';
import type { ServerEvent } from '#contract/events.ts';
import { metricOf } from './metric-names.ts';
import type { Metrics } from './metrics.ts';
import type { Presence } from './presence.ts';

/**
 * The open sockets of a node. A member has at most 20; a further one closes the oldest. A socket that is being closed
 * is not among them. It is cut off when its client does not answer, or at once while 20 others of its member are still
 * being closed, so that opening them quickly can't collect sockets.
 */
const OPEN_PER_MEMBER_MAX = 20;
const CLOSING_PER_MEMBER_MAX = 20;
export const CLOSE_MS_MAX = 3_000;
const BUFFERED_BYTES_MAX = 1024 * 1024;

export type Open = {
  socket: WebSocket;
  token: string;
  memberId: number;
  address: string;
  /** Whether the session may make operators' calls, by its last check. */
  isOperator: boolean;
  /** Whether the member is fully suspended, by the last check. */
  isSuspended: boolean;
  /** Whether a ping was sent that the client has not answered. */
  isPinged: boolean;
  /** The second of the newest frame, and how many came in it. */
  second: number;
  frames: number;
};

/** An event as the bytes that all its receivers share. */
export const frameOf = (event: ServerEvent): Buffer => Buffer.from(JSON.stringify(event));

const AS_TEXT = { binary: false };

export type Sockets = ReturnType<typeof createSockets>;

export function createSockets({ registry }: Metrics, presence: Pick<Presence, 'openSocket' | 'closeSocket'>) {
  const all = new Set<Open>();
  /** Those of each member, the oldest first. */
  const byMember = new Map<number, Open[]>();
  const closing = new Map<number, number>();
  new Gauge({
    ...metricOf('earnest_sockets'),
    registers: [registry],
    collect() {
      this.set(all.size);
    },
  });
  const faults = new Counter({ ...metricOf('earnest_socket_faults_total'), registers: [registry] });

  const remove = (open: Open) => {
    if (!all.delete(open)) return;
    const theirs = (byMember.get(open.memberId) ?? []).filter((one) => one !== open);
    if (theirs.length === 0) byMember.delete(open.memberId);
    else byMember.set(open.memberId, theirs);
    presence.closeSocket(open.memberId);
  };
  const end = (open: Open, code: number, reason: string) => {
    remove(open);
    const { socket, memberId } = open;
    const theirs = closing.get(memberId) ?? 0;
    if (theirs >= CLOSING_PER_MEMBER_MAX) return socket.terminate();
    closing.set(memberId, theirs + 1);
    socket.close(code, reason);
    const timer = setTimeout(() => socket.terminate(), CLOSE_MS_MAX).unref();
    socket.once('close', () => {
      clearTimeout(timer);
      const left = (closing.get(memberId) ?? 1) - 1;
      if (left === 0) closing.delete(memberId);
      else closing.set(memberId, left);
    });
  };
  const push = (open: Open, frame: Buffer) => {
    if (open.socket.bufferedAmount <= BUFFERED_BYTES_MAX) return open.socket.send(frame, AS_TEXT);
    // The browser does not read. It fetches the missed changes when it reconnects.
    faults.inc({ fault: 'reads-too-slowly' });
    remove(open);
    open.socket.terminate();
  };
  return {
    all: all as ReadonlySet<Open>,
    of: (memberId: number): readonly Open[] => byMember.get(memberId) ?? [],
    has: (open: Open): boolean => all.has(open),
    add: (open: Open) => {
      const [oldest, ...others] = byMember.get(open.memberId) ?? [];
      const isFull = others.length + 1 >= OPEN_PER_MEMBER_MAX;
      if (oldest !== undefined && isFull) end(oldest, 1008, 'too many sockets');
      byMember.set(open.memberId, [...(byMember.get(open.memberId) ?? []), open]);
      all.add(open);
      presence.openSocket(open.memberId);
    },
    remove,
    faults,
    push,
    /** Closes a socket, and cuts off a client that does not answer. */
    end,
  };
}
