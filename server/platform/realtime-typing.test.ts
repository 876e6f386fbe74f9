import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChannelNews } from './bus.ts';
import type { Open } from './realtime-sockets.ts';
import { createTyping } from './realtime-typing.ts';

/** A ticket's channel `2` of member 1, the general one, and a clock that stands until it is moved. */
function parts() {
  const clock = { nowMs: 5_000 };
  const told: ChannelNews[] = [];
  const asked: string[] = [];
  const type = createTyping(
    { announceChannel: (news) => void told.push(news) },
    async (memberId, isOperator, channelId) => {
      asked.push(`${memberId} ${channelId}`);
      if (channelId === '1') return { ownerId: null, firstName: `Name ${memberId}` };
      const isReader = channelId === '2' && (isOperator || memberId === 1);
      return isReader ? { ownerId: 1, firstName: isOperator ? 'Bot' : 'Name 1' } : undefined;
    },
    () => clock.nowMs,
  );
  const socketOf = (memberId: number, isOperator = false) => ({ memberId, isOperator }) as Open;
  return { clock, told, asked, type, socketOf };
}
const typing = (channelId: unknown) => ({
  type: 'user_typing',
  channelId,
  userId: '99',
  firstName: 'Forged',
});
const stop = (channelId: unknown) => ({ type: 'stop_typing', channelId });

describe('a typing frame', () => {
  it('goes to the readers of its channel with the member’s own id and name', async () => {
    const { told, type, socketOf } = parts();
    await type(socketOf(7), typing('1'));
    await type(socketOf(1), typing('2'));
    await type(socketOf(8, true), typing('2'));
    const event = (userId: string, firstName: string, channelId: string) => ({
      type: 'user_typing',
      userId,
      firstName,
      channelId,
    });
    assert.deepEqual(told, [
      { ownerId: null, event: event('7', 'Name 7', '1') },
      { ownerId: 1, event: event('1', 'Name 1', '2') },
      { ownerId: 1, event: event('8', 'Bot', '2') },
    ]);
  });
  it('has no effect where the member may not write, and with anything but the id of a channel', async () => {
    const { told, asked, clock, type, socketOf } = parts();
    const socket = socketOf(7);
    for (const channelId of ['2', '3']) {
      await type(socket, typing(channelId));
      await type(socket, stop(channelId));
      clock.nowMs += 1_000;
    }
    for (const channelId of [
      '',
      '0',
      '-1',
      '1.5',
      '1 or true',
      '9'.repeat(30),
      1,
      null,
      undefined,
      {},
      ['1'],
    ])
      for (const frame of [typing(channelId), stop(channelId)]) await type(socket, frame);
    assert.deepEqual(told, []);
    assert.equal(asked.length, 2, 'only ids are looked up');
  });
  it('goes out at most once a second of a socket, and its stop once after it', async () => {
    const { told, asked, clock, type, socketOf } = parts();
    const socket = socketOf(7);
    for (let sent = 0; sent < 40; sent += 1) {
      // Not waited for, as frames of one packet.
      const both = [type(socket, typing('1')), type(socket, stop('1')), type(socket, stop('1'))];
      await Promise.all(both);
      clock.nowMs += 100;
    }
    assert.deepEqual(
      told.map(({ event }) => event.type),
      Array.from({ length: 4 }, () => ['user_typing', 'stop_typing']).flat(),
    );
    assert.deepEqual(asked, ['7 1', '7 1'], 'kept for three seconds');
    clock.nowMs += 10_000;
    for (let sent = 0; sent < 20; sent += 1) await type(socket, typing(String(10 + sent)));
    assert.equal(asked.length, 3, 'many channels are no way to more look-ups');
  });
  it('goes out at most ten times a second of a channel', async () => {
    const { told, clock, type, socketOf } = parts();
    const sockets = Array.from({ length: 50 }, (_, index) => socketOf(index + 10));
    for (const socket of sockets) await type(socket, typing('1'));
    assert.equal(told.length, 10);
    await type(socketOf(1), typing('2'));
    assert.equal(told.length, 11, 'another channel has its own');
    clock.nowMs += 1_000;
    for (const socket of sockets) await type(socket, typing('1'));
    assert.equal(told.length, 21);
  });
});
