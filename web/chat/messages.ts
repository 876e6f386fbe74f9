import type { ServerEvent } from '#contract/events.ts';
import type { Message } from '#contract/message.ts';

/**
 * The known messages of a channel, made of fetched pages and pushed events, so that none is lost or doubled. A message
 * has a place (`seq`), without a gap on the server. A place that a fetched range leaves out was taken out of the chat.
 */
export type Conversation = {
  /** By place, each once. */
  messages: readonly Message[];
  /** Every place up to this one is known. A message beyond it came before its predecessor: a gap. */
  knownTo: number;
  isLoaded: boolean;
  hasOlder: boolean;
  /** Events that arrived before the first page. */
  held: readonly ChatEvent[];
  /** Taken out, so that a push that is late doesn't bring it back. */
  deletedIds: ReadonlySet<string>;
  /** Taken out since the running fetch began, whose page may still have it. */
  deletedMeanwhile: ReadonlySet<string>;
  /** The highest place that was held when the running fetch began. */
  fetchedFrom: number;
};

export type ChatEvent = Extract<ServerEvent, { type: 'new_message' | 'message_deleted' }>;

export const emptyConversation: Conversation = {
  messages: [],
  knownTo: 0,
  isLoaded: false,
  hasOlder: false,
  held: [],
  deletedIds: new Set(),
  deletedMeanwhile: new Set(),
  fetchedFrom: 0,
};

const lastSeq = (messages: readonly Message[]): number => messages.at(-1)?.seq ?? 0;

/** Whether a message is missing between the held ones, so that they must be fetched. */
export const hasGap = ({ isLoaded, messages, knownTo }: Conversation): boolean =>
  isLoaded && lastSeq(messages) > knownTo;

/** Remembers what is held before the newest page is fetched. One fetch of it runs at a time. */
export const beginFetch = (before: Conversation): Conversation => ({
  ...before,
  // The page has what these events said.
  held: [],
  deletedMeanwhile: new Set(),
  fetchedFrom: lastSeq(before.messages),
});

/**
 * Takes the newest messages in. `isWhole` says that nothing is before them. They replace what is held in their range;
 * what is held beyond them and was held when the fetch began was taken out meanwhile.
 */
export function applyPage(before: Conversation, page: readonly Message[], isWhole: boolean): Conversation {
  const fetched = page.filter(({ id }) => !before.deletedMeanwhile.has(id));
  const first = isWhole ? 0 : (page[0]?.seq ?? 0);
  const last = lastSeq(page);
  // More came than was fetched: what is held ends before the page, and is fetched again when the reader pages back.
  const isApart = before.isLoaded && first > before.knownTo + 1;
  const earlier = isApart ? [] : before.messages.filter(({ seq }) => seq < first);
  const later = before.messages.filter(({ seq }) => seq > last && seq > before.fetchedFrom);
  const messages = [...earlier, ...fetched, ...later];
  const hasOlder = isWhole ? false : earlier.length === 0 ? true : before.hasOlder;
  const loaded: Conversation = {
    ...before,
    messages,
    isLoaded: true,
    hasOlder,
    held: [],
    knownTo: extended(Math.max(before.knownTo, last), messages),
  };
  return before.held.reduce(applyEvent, loaded);
}

/** Takes messages in that are before all that are held. */
export function applyOlder(before: Conversation, page: readonly Message[], isWhole: boolean): Conversation {
  const first = before.messages[0]?.seq ?? Number.POSITIVE_INFINITY;
  const older = page.filter(({ seq, id }) => seq < first && !before.deletedIds.has(id));
  return { ...before, messages: [...older, ...before.messages], hasOlder: !isWhole };
}

export function applyEvent(before: Conversation, event: ChatEvent): Conversation {
  if (!before.isLoaded) return { ...before, held: [...before.held, event] };
  return event.type === 'new_message' ? withNew(before, event.message) : withoutDeleted(before, event.id);
}

function withNew(before: Conversation, message: Message): Conversation {
  // A place up to `knownTo` that is not held was taken out, or is older than what is held.
  if (message.seq <= before.knownTo || before.deletedIds.has(message.id)) return before;
  if (before.messages.some(({ id }) => id === message.id)) return before;
  const messages = [...before.messages, message].sort((one, other) => one.seq - other.seq);
  return { ...before, messages, knownTo: extended(before.knownTo, messages) };
}

const withoutDeleted = (before: Conversation, id: string): Conversation => ({
  ...before,
  messages: before.messages.filter((message) => message.id !== id),
  deletedIds: new Set([...before.deletedIds, id]),
  deletedMeanwhile: new Set([...before.deletedMeanwhile, id]),
});

/** The last place before the first gap behind `knownTo`. */
function extended(knownTo: number, messages: readonly Message[]): number {
  let last = knownTo;
  for (const { seq } of messages) if (seq === last + 1) last = seq;
  return last;
}
