import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextEnd, type Typists, withoutExpired, withTyping } from './typists.ts';

const typing = (userId: string) => ({
  type: 'user_typing' as const,
  userId,
  firstName: `Member ${userId}`,
  channelId: '1',
});

test('a typing mark ends three seconds after its last frame, or when typing stops', () => {
  const one = withTyping(new Map() as Typists, typing('a'), 1_000, 3_000);
  const two = withTyping(one, typing('b'), 2_000, 3_000);
  assert.deepEqual([...two.keys()], ['a', 'b']);
  assert.equal(nextEnd(two), 4_000);
  assert.deepEqual([...withoutExpired(two, 4_000).keys()], ['b']);
  const again = withTyping(two, typing('a'), 3_000, 3_000);
  assert.equal(withoutExpired(again, 4_999).size, 2);
  const stopped = withTyping(again, { ...typing('b'), type: 'stop_typing' }, 3_000, 3_000);
  assert.deepEqual([...stopped.keys()], ['a']);
  assert.equal(nextEnd(withoutExpired(stopped, 6_000)), null);
});
