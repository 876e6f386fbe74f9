import type { ClientFrame, ServerEvent } from '#contract/events.ts';

/** The live connection. The server pushes. After every opening the caller fetches the current state. */

/** The first attempt after a loss comes after this time. */
const RECONNECT_MS = 3_000;
/** The longest time between two failed attempts, without the random part. */
const RECONNECT_MS_MAX = 27_000;
/** The server sends something each 25 seconds. A line that can be dead without being closed is silent for longer. */
const QUIET_MS_MAX = 60_000;

type Listener = {
  onOpen: () => void;
  onClose: () => void;
  onEvent: (event: ServerEvent) => void;
};

type Times = { reconnectMs?: number; quietMsMax?: number };

export type OpenedSocket = {
  /** Sends a frame, or drops it while the line is not open. */
  send(frame: ClientFrame): void;
  /** Makes the next attempt now instead of later. */
  tryNow(): void;
  end(): void;
};

/**
 * The time until the next attempt. After a loss it is always the same. After failed attempts it grows, and a random
 * part spreads the pages that lost the same server.
 */
export function waitBefore(failures: number, reconnectMs: number, random: number): number {
  if (failures === 0) return reconnectMs;
  return Math.min(RECONNECT_MS_MAX, reconnectMs * 2 ** (failures - 1)) + random * reconnectMs;
}

/**
 * Opens `/ws` and keeps it open. A line without a frame for a minute is lost, and so is one when the browser says that
 * there is no network any more.
 */
export function openSocket(
  listener: Listener,
  { reconnectMs = RECONNECT_MS, quietMsMax = QUIET_MS_MAX }: Times = {},
): OpenedSocket {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  /** Attempts since the last open line that did not open. */
  let failures = 0;

  /** A dead line answers no close, so its event is not waited for. */
  const lose = () => {
    const lost = socket;
    if (lost === null) return;
    socket = null;
    clearTimeout(quiet);
    lost.close();
    listener.onClose();
    clearTimeout(timer);
    timer = setTimeout(connect, waitBefore(failures, reconnectMs, Math.random()));
  };
  const hear = () => {
    clearTimeout(quiet);
    quiet = setTimeout(lose, quietMsMax);
  };
  const connect = () => {
    clearTimeout(timer);
    // Without a network every attempt logs an error. Its return begins one.
    if (socket !== null || !navigator.onLine) return;
    const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
    const line = new WebSocket(`${scheme}://${window.location.host}/ws`);
    socket = line;
    failures += 1;
    line.addEventListener('open', () => {
      if (socket !== line) return;
      failures = 0;
      listener.onOpen();
    });
    line.addEventListener('message', (message) => {
      if (socket !== line) return;
      hear();
      const event = parseEvent(message.data);
      if (event !== null) listener.onEvent(event);
    });
    line.addEventListener('close', () => socket === line && lose());
    hear();
  };

  window.addEventListener('online', connect);
  window.addEventListener('offline', lose);
  connect();
  return {
    send: (frame) => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
    },
    tryNow: connect,
    end: () => {
      const last = socket;
      socket = null;
      clearTimeout(timer);
      clearTimeout(quiet);
      window.removeEventListener('online', connect);
      window.removeEventListener('offline', lose);
      last?.close();
    },
  };
}

/** Every event type of the contract; a missing one does not compile. */
const known: Record<ServerEvent['type'], true> = {
  auth_success: true,
  ping: true,
  balance: true,
  ticket: true,
  claim: true,
  notice: true,
  withdrawal: true,
  site: true,
  waiting: true,
  new_message: true,
  message_deleted: true,
  user_typing: true,
  stop_typing: true,
  presence: true,
  chat: true,
  announcement: true,
  error: true,
};

/** Parses a frame. Invalid JSON is logged and dropped; unknown types are ignored. */
function parseEvent(frame: unknown): ServerEvent | null {
  try {
    const event = JSON.parse(String(frame)) as ServerEvent;
    return Object.hasOwn(known, event.type) ? event : null;
  } catch (error) {
    console.warn('A frame of the live connection could not be read.', error);
    return null;
  }
}
