import type { ServerEvent } from '#contract/events.ts';

/** The live connection. The server only pushes. After every opening the caller fetches the current state. */

const RECONNECT_MS = 3_000;
/** The server sends something each 25 seconds. A line that can be dead without being closed is silent for longer. */
const QUIET_MS_MAX = 60_000;

type Listener = {
  onOpen: () => void;
  onClose: () => void;
  onEvent: (event: ServerEvent) => void;
};

type Times = { reconnectMs?: number; quietMsMax?: number };

/**
 * Opens `/ws` and keeps it open, with a new attempt 3 seconds after each loss. A line without a frame for a minute is
 * lost. Returns a function that ends it.
 */
export function openSocket(
  listener: Listener,
  { reconnectMs = RECONNECT_MS, quietMsMax = QUIET_MS_MAX }: Times = {},
): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let quiet: ReturnType<typeof setTimeout> | undefined;

  const connect = () => {
    // Without a network every attempt logs an error.
    if (!navigator.onLine) {
      window.addEventListener('online', connect, { once: true });
      return;
    }
    const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
    const line = new WebSocket(`${scheme}://${window.location.host}/ws`);
    socket = line;
    const hear = () => {
      clearTimeout(quiet);
      quiet = setTimeout(lose, quietMsMax);
    };
    /** A dead line answers no close, so its event is not waited for. */
    const lose = () => {
      if (socket !== line) return;
      socket = null;
      clearTimeout(quiet);
      line.close();
      listener.onClose();
      timer = setTimeout(connect, reconnectMs);
    };
    line.addEventListener('open', () => socket === line && listener.onOpen());
    line.addEventListener('message', (message) => {
      if (socket !== line) return;
      hear();
      const event = parseEvent(message.data);
      if (event !== null) listener.onEvent(event);
    });
    line.addEventListener('close', lose);
    hear();
  };

  connect();
  return () => {
    const last = socket;
    socket = null;
    clearTimeout(timer);
    clearTimeout(quiet);
    window.removeEventListener('online', connect);
    last?.close();
  };
}

/** Every event type of the contract; a missing one does not compile. */
const known: Record<ServerEvent['type'], true> = {
  auth_success: true,
  ping: true,
  balance: true,
  ticket: true,
  notice: true,
  withdrawal: true,
  site: true,
  waiting: true,
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
