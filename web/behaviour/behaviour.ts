import { type BehaviourEntry, behaviourLimits, logBehaviour } from '#contract/access-behaviour.ts';
import { addressOf } from '#web/client/call.ts';
import { hasSessionMark } from '#web/client/session.ts';
import { targetOf, throttled } from './entries.ts';

/**
 * Reports how the page is used: where the mouse goes, that keys are pressed, clicks, scrolling, and whether the page is
 * seen. Never which key, never what is typed or written. Entries are collected and sent together; nothing waits for
 * them, and whatever goes wrong ends the reports and nothing else.
 */
const EVERY_MS = 10_000;
const MOUSE_MS = 500;
const SCROLL_MS = 1_000;
const KEYBOARD_MS = 100;
const SESSION_KEY = 'behaviourSession';

/** One id for this tab, however often it is loaded anew. */
function sessionIdOfTab(): string {
  const kept = sessionStorage.getItem(SESSION_KEY);
  if (kept !== null) return kept;
  const made = crypto.randomUUID();
  sessionStorage.setItem(SESSION_KEY, made);
  return made;
}

/** Begins to report, and answers what ends it. */
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

/** Collects entries and sends them together, also from a page that is going away. */
function createQueue(sessionId: string, onRefused: () => void): Queue {
  let waiting: BehaviourEntry[] = [];
  const send = () => {
    if (waiting.length === 0) return;
    const entries = waiting;
    waiting = [];
    // Signed out since, also in another tab: there is nobody to report about.
    if (!hasSessionMark()) return onRefused();
    // Without a network they are lost, quietly: a try would be a complaint in the console.
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
      // No network: these entries are lost, and the next may come through.
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
