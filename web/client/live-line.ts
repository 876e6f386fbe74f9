import { useSyncExternalStore } from 'react';
import type { ClientFrame, ServerEvent } from '#contract/events.ts';
import { type OpenedSocket, openSocket } from './socket.ts';

/**
 * The one live connection of a page, shared by all parts that need it. It is open while at least one of them has
 * started it. After each opening `onLineOpen` is called before any event that came after it.
 */

/** `offline`: the browser says that there is no network. `since`: when the state began, in ms since 1970. */
export type LineState = { state: 'live' | 'reconnecting' | 'offline'; since: number };

let socket: OpenedSocket | undefined;
let starts = 0;
let isOpen = false;
let current: LineState = { state: 'reconnecting', since: Date.now() };

const eventListeners = new Set<(event: ServerEvent) => void>();
const openListeners = new Set<() => void>();
const stateListeners = new Set<() => void>();

function subscribe<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function noteState(): void {
  const state = !navigator.onLine ? 'offline' : isOpen ? 'live' : 'reconnecting';
  if (state === current.state) return;
  current = { state, since: Date.now() };
  for (const listener of [...stateListeners]) listener();
}

function setOpen(next: boolean): void {
  isOpen = next;
  noteState();
}

/** Opens the line if it is not open yet. Returns a function that closes it if nobody else needs it. */
export function startLine(): () => void {
  starts += 1;
  if (starts === 1) openLine();
  let isStarted = true;
  return () => {
    if (!isStarted) return;
    isStarted = false;
    starts -= 1;
    if (starts === 0) closeLine();
  };
}

function openLine(): void {
  window.addEventListener('online', noteState);
  window.addEventListener('offline', noteState);
  noteState();
  socket = openSocket({
    onOpen: () => {
      setOpen(true);
      for (const listener of [...openListeners]) listener();
    },
    onClose: () => setOpen(false),
    onEvent: (event) => {
      for (const listener of [...eventListeners]) listener(event);
    },
  });
}

function closeLine(): void {
  window.removeEventListener('online', noteState);
  window.removeEventListener('offline', noteState);
  socket?.end();
  socket = undefined;
  setOpen(false);
}

/** Calls the listener with each event, until the returned function is called. */
export const onLiveEvent = (listener: (event: ServerEvent) => void): (() => void) =>
  subscribe(eventListeners, listener);

/** Calls the listener after each opening, until the returned function is called. What came before must be fetched. */
export const onLineOpen = (listener: () => void): (() => void) => subscribe(openListeners, listener);

const onLineState = (listener: () => void): (() => void) => subscribe(stateListeners, listener);

export const useLineState = (): LineState => useSyncExternalStore(onLineState, () => current);

/** Makes the next attempt now instead of later. */
export const tryLineNow = (): void => socket?.tryNow();

/** Sends a frame, or drops it while the line is not open. */
export const sendFrame = (frame: ClientFrame): void => socket?.send(frame);
