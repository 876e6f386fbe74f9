import { z } from 'zod';
import { rowId } from '#contract/fields.ts';
import type { Bus } from './bus.ts';
import type { Open } from './realtime-sockets.ts';

/**
 * That a member writes, or has stopped, goes to the other readers of the channel. Who may write where is known by the
 * feature, and is kept for a few seconds, so that a key is no query. A socket says it at most once a second. Of a
 * channel in which many write, a few are enough. A frame that says nothing to anybody is dropped and is no error.
 */
const SOCKET_EVERY_MS = 1_000;
const CHANNEL_PER_SECOND_MAX = 10;
const KEPT_MS = 3_000;

/** The ticket's owner, or null in the general channel. */
type Typist = { ownerId: number | null; firstName: string };

/** Finds who writes in a channel; undefined if they may not, or there is no such channel. */
export type FindTypist = (
  memberId: number,
  isOperator: boolean,
  channelId: string,
) => Promise<Typist | undefined>;

const typingFrame = z.object({ type: z.enum(['user_typing', 'stop_typing']), channelId: rowId });
type TypingFrame = z.infer<typeof typingFrame>;

type State = {
  /** When the socket last said that its member writes, also where it may not. */
  saidAtMs: number;
  found: { channelId: string; atMs: number; typist: Promise<Typist | undefined> } | undefined;
  /** Where the others were told that the member writes. */
  shown: { channelId: string; typist: Typist } | undefined;
};

/** Makes a function that passes on a typing frame of a socket. */
export function createTyping(
  bus: Pick<Bus, 'announceChannel'>,
  findTypist: FindTypist,
  nowMs: () => number = () => performance.now(),
) {
  const states = new WeakMap<Open, State>();
  const hasRoom = createChannelLimit(nowMs);
  const find = (open: Open, state: State, channelId: string) => {
    const { found } = state;
    if (found?.channelId === channelId && nowMs() - found.atMs < KEPT_MS) return found.typist;
    const typist = findTypist(open.memberId, open.isOperator, channelId);
    state.found = { channelId, atMs: nowMs(), typist };
    return typist;
  };
  const tell = ({ memberId }: Open, { type, channelId }: TypingFrame, { ownerId, firstName }: Typist) => {
    if (!hasRoom(channelId)) return;
    bus.announceChannel({ ownerId, event: { type, userId: String(memberId), firstName, channelId } });
  };
  return async (open: Open, given: unknown): Promise<void> => {
    const parsed = typingFrame.safeParse(given);
    if (!parsed.success) return;
    const frame = parsed.data;
    const state = states.get(open) ?? {
      saidAtMs: Number.NEGATIVE_INFINITY,
      found: undefined,
      shown: undefined,
    };
    states.set(open, state);
    if (frame.type === 'stop_typing') {
      // The frame before it may still be looked up.
      await state.found?.typist;
      const { shown } = state;
      if (shown?.channelId !== frame.channelId) return;
      state.shown = undefined;
      return tell(open, frame, shown.typist);
    }
    if (nowMs() - state.saidAtMs < SOCKET_EVERY_MS) return;
    state.saidAtMs = nowMs();
    const typist = await find(open, state, frame.channelId);
    if (typist === undefined) return;
    state.shown = { channelId: frame.channelId, typist };
    tell(open, frame, typist);
  };
}

/** Makes a function that counts a frame of a channel and says whether it may go out in this second. */
function createChannelLimit(nowMs: () => number): (channelId: string) => boolean {
  const counts = new Map<string, number>();
  let second = 0;
  return (channelId) => {
    const now = Math.trunc(nowMs() / 1_000);
    if (now !== second) counts.clear();
    second = now;
    const count = (counts.get(channelId) ?? 0) + 1;
    counts.set(channelId, count);
    return count <= CHANNEL_PER_SECOND_MAX;
  };
}
