import type { ServerEvent } from '#contract/events.ts';

/** The live connection. The server only pushes. After every opening the caller fetches the current state. */

const RECONNECT_MS = 3_000;

type Listener = {
  onOpen: () => void;
  onClose: () => void;
  onEvent: (event: ServerEvent) => void;
};

/** Opens `/ws` and keeps it open, with a new attempt 3 seconds after each loss. Returns a function that ends it. */
export function openSocket(listener: Listener): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;

  const connect = () => {
    // Without a network every attempt logs an error.
    if (!navigator.onLine) {
      window.addEventListener('online', connect, { once: true });
      return;
    }
    const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
    socket = new WebSocket(`${scheme}://${window.location.host}/ws`);
    socket.addEventListener('open', listener.onOpen);
    socket.addEventListener('message', (message) => {
      const event = parseEvent(message.data);
      if (event !== null) listener.onEvent(event);
    });
    socket.addEventListener('close', () => {
      if (ended) return;
      listener.onClose();
      timer = setTimeout(connect, RECONNECT_MS);
    });
  };

  connect();
  return () => {
    ended = true;
    clearTimeout(timer);
    window.removeEventListener('online', connect);
    socket?.close();
  };
}

/** Every event type of the contract; a missing one does not compile. */
const known: Record<ServerEvent['type'], true> = {
  auth_success: true,
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
