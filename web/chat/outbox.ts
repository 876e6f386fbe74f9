import { useSyncExternalStore } from 'react';
import { postMessage } from '#contract/chat.ts';
import type { Message } from '#contract/message.ts';
import { type ApiError, call, isApiError } from '#web/client/call.ts';

/**
 * What a member writes in a channel: the draft and the messages that are not with the server yet. It is in the page's
 * memory, so that it outlives the closing of the panel and is never stored or sent anywhere else.
 */
export type Outgoing = {
  /** The message's name at the server, so that a repeat is no second message. */
  clientId: string;
  text: string;
  writtenAt: string;
  /** `waiting`: for the line. */
  state: 'sending' | 'waiting' | 'failed';
};

export type Box = {
  draft: string;
  outgoing: readonly Outgoing[];
  /** Why the last message was not taken. The next one that is sent removes it. */
  refusal: ApiError | null;
  /** The time in ms from which slow mode takes the next message. */
  sendableAt: number;
};

/** A box belongs to one member and one channel, because another member may sign in to the same page. */
export type BoxAddress = { memberId: string; channelId: string };

const emptyBox: Box = { draft: '', outgoing: [], refusal: null, sendableAt: 0 };
const boxes = new Map<string, Box>();
const addresses = new Map<string, BoxAddress>();
const boxListeners = new Set<() => void>();
const sentListeners = new Set<(message: Message) => void>();

const keyOf = ({ memberId, channelId }: BoxAddress) => `${memberId} ${channelId}`;
const boxOf = (address: BoxAddress): Box => boxes.get(keyOf(address)) ?? emptyBox;

function setBox(address: BoxAddress, change: Partial<Box>): void {
  boxes.set(keyOf(address), { ...boxOf(address), ...change });
  addresses.set(keyOf(address), address);
  for (const listener of [...boxListeners]) listener();
}

function subscribe(listener: () => void): () => void {
  boxListeners.add(listener);
  return () => void boxListeners.delete(listener);
}

export const useBox = (address: BoxAddress): Box => useSyncExternalStore(subscribe, () => boxOf(address));

export const setDraft = (address: BoxAddress, draft: string): void => setBox(address, { draft });

const hasDraft = (address: BoxAddress): boolean => boxOf(address).draft.trim() !== '';

/** Whether the member has written something, in any channel, that is not sent. */
export const hasDrafts = (memberId: string): boolean =>
  [...addresses.values()].some((address) => address.memberId === memberId && hasDraft(address));

/** Calls the listener with each message that the server has taken, until the returned function is called. */
export function onSent(listener: (message: Message) => void): () => void {
  sentListeners.add(listener);
  return () => void sentListeners.delete(listener);
}

/** Sends the draft and empties it. */
export function sendDraft(address: BoxAddress, slowModeSeconds: number): void {
  const text = boxOf(address).draft.trim();
  if (text === '') return;
  const message: Outgoing = {
    clientId: crypto.randomUUID(),
    text,
    writtenAt: new Date().toISOString(),
    state: navigator.onLine ? 'sending' : 'waiting',
  };
  setBox(address, {
    draft: '',
    refusal: null,
    outgoing: [...boxOf(address).outgoing, message],
    sendableAt: Date.now() + slowModeSeconds * 1_000,
  });
  void sendAll(address);
}

export function sendAgain(address: BoxAddress, clientId: string): void {
  setBox(address, { refusal: null });
  setState(address, clientId, navigator.onLine ? 'sending' : 'waiting');
  void sendAll(address);
}

export const removeOutgoing = (address: BoxAddress, clientId: string): void =>
  setBox(address, { outgoing: boxOf(address).outgoing.filter((one) => one.clientId !== clientId) });

export const removeRefusal = (address: BoxAddress): void => setBox(address, { refusal: null });

/**
 * Sends what the member wrote and what waits for the line, in its order. Another member may have signed in to the page
 * since: theirs stays.
 */
export function sendWaiting(memberId: string): void {
  if (!navigator.onLine) return;
  for (const address of addresses.values()) {
    if (address.memberId !== memberId) continue;
    const waiting = boxOf(address).outgoing.filter(({ state }) => state === 'waiting');
    for (const { clientId } of waiting) setState(address, clientId, 'sending');
    if (waiting.length > 0) void sendAll(address);
  }
}

const setState = (address: BoxAddress, clientId: string, state: Outgoing['state']): void =>
  setBox(address, {
    outgoing: boxOf(address).outgoing.map((one) => (one.clientId === clientId ? { ...one, state } : one)),
  });

const running = new Set<string>();

/** Sends one message after the other, so that they keep their order. */
async function sendAll(address: BoxAddress): Promise<void> {
  const key = keyOf(address);
  if (running.has(key)) return;
  running.add(key);
  try {
    for (;;) {
      const next = boxOf(address).outgoing.find(({ state }) => state !== 'failed');
      // What waits for the line holds back what was written after it.
      if (next?.state !== 'sending') return;
      await sendOne(address, next);
    }
  } finally {
    running.delete(key);
  }
}

async function sendOne(address: BoxAddress, { clientId, text }: Outgoing): Promise<void> {
  try {
    const body = { channelId: address.channelId, content: text, clientId };
    const message = await call(postMessage, { body });
    // Before the removal, so that the message never leaves the list.
    for (const listener of [...sentListeners]) listener(message);
    removeOutgoing(address, clientId);
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.code === 'unreachable') setState(address, clientId, 'waiting');
    else takeRefusal(address, clientId, text, error);
  }
}

/** A rule's refusal gives the text back to the field, unless another one is being written there. */
function takeRefusal(address: BoxAddress, clientId: string, text: string, refusal: ApiError): void {
  const isRule = refusal.status < 500;
  if (isRule && !hasDraft(address)) {
    removeOutgoing(address, clientId);
    setBox(address, { draft: text });
  } else setState(address, clientId, 'failed');
  const sendableAt = refusal.code === 'slow-mode' ? Date.now() + (refusal.retryAfterS ?? 0) * 1_000 : 0;
  setBox(address, { refusal, sendableAt });
}
