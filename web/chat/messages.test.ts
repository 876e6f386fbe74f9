import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#contract/message.ts';
import {
  applyEvent,
  applyOlder,
  applyPage,
  beginFetch,
  type ChatEvent,
  type Conversation,
  emptyConversation,
  hasGap,
} from './messages.ts';

const PAGE = 4;

const messageAt = (seq: number): Message => ({
  id: String(seq + 100),
  channelId: '1',
  seq,
  userId: '7',
  user: { firstName: 'Jun', chatBubbleColor: '#3B82F6', chatTextColor: '#FFFFFF' },
  message: `Message ${seq}`,
  isFromAdmin: false,
  createdAt: '2026-11-20T08:00:00.000Z',
  clientId: null,
});
const pushOf = (message: Message): ChatEvent => ({ type: 'new_message', channelId: '1', message });
const deletionOf = ({ id }: Message): ChatEvent => ({ type: 'message_deleted', channelId: '1', id });
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => messageAt(first + index));
const seqsOf = ({ messages }: Conversation) => messages.map(({ seq }) => seq);
const loadedWith = (page: Message[]) => applyPage(beginFetch(emptyConversation), page, false);

describe('the messages of a channel', () => {
  it('hold events until the first page and apply them once', () => {
    const early = [pushOf(messageAt(4)), pushOf(messageAt(5)), deletionOf(messageAt(3))];
    const held = early.reduce(applyEvent, beginFetch(emptyConversation));
    assert.deepEqual(seqsOf(held), []);
    assert.deepEqual(seqsOf(applyPage(held, range(1, 4), false)), [1, 2, 4, 5]);
  });
  it('show a message beyond a gap at once and say that one is missing', () => {
    const loaded = loadedWith(range(1, 4));
    const pushed = applyEvent(loaded, pushOf(messageAt(6)));
    assert.deepEqual(seqsOf(pushed), [1, 2, 3, 4, 6]);
    assert.equal(hasGap(pushed), true);
    const late = applyEvent(pushed, pushOf(messageAt(5)));
    assert.deepEqual(seqsOf(late), [1, 2, 3, 4, 5, 6]);
    assert.equal(hasGap(late), false);
    assert.deepEqual(seqsOf(applyPage(beginFetch(pushed), range(3, 6), false)), [1, 2, 3, 4, 5, 6]);
  });
  it('take out what a page leaves out of its range, and of what was held when it was fetched', () => {
    const loaded = loadedWith(range(1, 4));
    assert.deepEqual(seqsOf(applyPage(beginFetch(loaded), [messageAt(2), messageAt(4)], false)), [1, 2, 4]);
    assert.deepEqual(seqsOf(applyPage(beginFetch(loaded), [messageAt(2), messageAt(3)], false)), [1, 2, 3]);
    const pushed = applyEvent(beginFetch(loaded), pushOf(messageAt(5)));
    assert.deepEqual(seqsOf(applyPage(pushed, range(1, 4), false)), [1, 2, 3, 4, 5]);
    assert.deepEqual(seqsOf(applyPage(beginFetch(loaded), [], true)), []);
  });
  it('do not bring a deleted message back by a push or a page that is late', () => {
    const deleted = applyEvent(beginFetch(loadedWith(range(1, 4))), deletionOf(messageAt(4)));
    assert.deepEqual(seqsOf(applyEvent(deleted, pushOf(messageAt(4)))), [1, 2, 3]);
    assert.deepEqual(seqsOf(applyPage(deleted, range(1, 4), false)), [1, 2, 3]);
  });
  it('page back, and begin anew behind a gap that is larger than a page', () => {
    const loaded = loadedWith(range(5, 8));
    assert.deepEqual(seqsOf(applyOlder(loaded, range(1, 4), false)), [1, 2, 3, 4, 5, 6, 7, 8]);
    const apart = applyPage(beginFetch(loaded), range(20, 23), false);
    assert.deepEqual(seqsOf(apart), [20, 21, 22, 23]);
    assert.equal(apart.hasOlder, true);
    assert.equal(hasGap(apart), false);
  });
});

/** What happens to a channel and its reader, in any order. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), isPushed: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), at: fc.nat(), isPushed: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('deliver' as const), at: fc.nat(), isTwice: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('answer' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('back' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A channel on the server and a reader with a slow line: frames are lost, doubled and late, and answers are old. */
class World {
  server: Message[] = [];
  count = 0;
  onTheWay: ChatEvent[] = [];
  answer: { page: Message[]; isWhole: boolean } | null = null;
  reader: Conversation = emptyConversation;

  read(): void {
    if (this.answer !== null) return;
    this.reader = beginFetch(this.reader);
    const page = this.server.slice(-PAGE);
    this.answer = { page, isWhole: page.length < PAGE };
  }
  take(): void {
    if (this.answer === null) return;
    this.reader = applyPage(this.reader, this.answer.page, this.answer.isWhole);
    this.answer = null;
  }
  back(): void {
    const first = this.reader.messages[0];
    if (!this.reader.isLoaded || first === undefined || !this.reader.hasOlder) return;
    const older = this.server.filter(({ seq }) => seq < first.seq).slice(-PAGE);
    this.reader = applyOlder(this.reader, older, older.length < PAGE);
  }
  run(taken: Step): void {
    if (taken.kind === 'write') {
      this.count += 1;
      const message = messageAt(this.count);
      this.server.push(message);
      if (taken.isPushed) this.onTheWay.push(pushOf(message));
    }
    if (taken.kind === 'delete') {
      const [message] = this.server.splice(taken.at % Math.max(1, this.server.length), 1);
      if (message && taken.isPushed) this.onTheWay.push(deletionOf(message));
    }
    if (taken.kind === 'deliver') {
      const [event] = this.onTheWay.splice(taken.at % Math.max(1, this.onTheWay.length), 1);
      for (const one of event === undefined ? [] : taken.isTwice ? [event, event] : [event])
        this.reader = applyEvent(this.reader, one);
    }
    if (taken.kind === 'read') this.read();
    if (taken.kind === 'answer') this.take();
    if (taken.kind === 'back') this.back();
  }
}

describe('any order of pages and events', () => {
  it('leaves each message once, in its place, and after the next read no other than the server has', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = new World();
        for (const taken of steps) {
          world.run(taken);
          const seqs = seqsOf(world.reader);
          assert.deepEqual(
            seqs,
            [...new Set(seqs)].sort((one, other) => one - other),
          );
        }
        world.take();
        world.onTheWay = [];
        world.read();
        world.take();
        const newest = world.server.slice(-PAGE).map(({ seq }) => seq);
        assert.deepEqual(seqsOf(world.reader).slice(seqsOf(world.reader).length - newest.length), newest);
        assert.equal(hasGap(world.reader), false);
        // What is held begins somewhere and has everything from there, or can be paged back to the beginning.
        while (world.reader.hasOlder) world.back();
        const seqs = seqsOf(world.reader);
        assert.ok(world.server.every(({ seq }) => seqs.includes(seq)));
      }),
      { numRuns: 500 },
    );
  });
});
