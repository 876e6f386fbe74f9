import { type BehaviourEntry, behaviourLimits, logBehaviour } from '#contract/access-behaviour.ts';
import { addressOf } from '#web/client/call.ts';
import { hasSessionMark } from '#web/client/session.ts';
import { targetOf, throttled } from './entries.ts';

/**
 * Reports how members use the page: mouse moves, key presses, clicks, scrolling and visibility. Which key was pressed
 * and what was typed are never recorded. Entries are sent in batches. Nothing waits for a report, and a refused
 * report ends the reporting.
 */
const EVERY_MS = 10_000;
const MOUSE_MS = 500;
const SCROLL_MS = 1_000;
const KEYBOARD_MS = 100;
const SESSION_KEY = 'behaviourSession';

/** The id of this tab, kept across reloads. */
function sessionIdOfTab(): string {
  const kept = sessionStorage.getItem(SESSION_KEY);
  if (kept !== null) return kept;
  const made = crypto.randomUUID();
  sessionStorage.setItem(SESSION_KEY, made);
  return made;
}

/** Starts reporting and returns the function that stops it. */
export function startReports(): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const queue = createQueue(sessionIdOfTab(), () => ending.abort());
  const listen = <Name extends keyof DocumentEventMap>(
    name: Name,
    listener: (event: DocumentEventMap[Name]) => void,
  ) => document.addEventListener(name, listener, { signal, passive: true, capture: true });

  listen(
    'mousemove',
    throttled(MOUSE_MS, (event) =>
      queue.add('mouse_move', null, { x: Math.round(event.clientX), y: Math.round(event.clientY) }),
    ),
  );
  listen(
    'scroll',
    throttled(SCROLL_MS, () => queue.add('scroll', null, { y: Math.round(window.scrollY) })),
  );
  listen(
    'keydown',
    throttled(KEYBOARD_MS, () => queue.add('keyboard', null, {})),
  );
  listen('click', (event) =>
    queue.add('click', targetOf(event.target), {
      x: Math.round(event.clientX),
      y: Math.round(event.clientY),
    }),
  );
  listen('visibilitychange', () => {
    queue.add('visibility', null, { state: document.visibilityState });
    if (document.visibilityState === 'hidden') queue.send();
  });
  window.addEventListener('pagehide', () => queue.send(), { signal });
  const timer = setInterval(() => queue.send(), EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  return () => {
    queue.send();
    ending.abort();
  };
}

type Queue = {
  add(action: string, target: string | null, facts: Record<string, string | number>): void;
  send(): void;
};

/** Collects entries and sends them in batches, also while the page unloads. */
function createQueue(sessionId: string, onRefused: () => void): Queue {
  let waiting: BehaviourEntry[] = [];
  const send = () => {
    if (waiting.length === 0) return;
    const entries = waiting;
    waiting = [];
    // The member has signed out, maybe in another tab.
    if (!hasSessionMark()) return onRefused();
    // Offline, entries are dropped: a failed request would log an error in the console.
    if (!navigator.onLine) return;
    fetch(addressOf(logBehaviour, {}), {
      method: logBehaviour.method,
      headers: { 'content-type': 'application/json' },
      credentials: 'include',
      keepalive: true,
      body: JSON.stringify(entries),
    }).then(
      ({ ok }) => {
        if (!ok) onRefused();
      },
      // The request failed: these entries are lost, later ones may succeed.
      () => undefined,
    );
  };
  return {
    add(action, target, facts) {
      waiting.push({ action, target, metadata: { at: new Date().toISOString(), ...facts }, sessionId });
      if (waiting.length >= behaviourLimits.entries) send();
    },
    send,
  };
}
