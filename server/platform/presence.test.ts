import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { PresenceNews } from './bus.ts';
import { createPresence, type Presence } from './presence.ts';

/** Nodes that share a clock, and a bus that can be cut. */
function world(nodes: number) {
  let nowMs = 0;
  const state = { isCut: false, told: 0 };
  const listeners: ((news: PresenceNews) => void)[] = [];
  const presences: Presence[] = Array.from({ length: nodes }, (_, index) =>
    createPresence(
      {
        tellPresence: (news) => {
          state.told += 1;
          if (state.isCut) return;
          const text = JSON.stringify(news);
          for (const [at, listener] of listeners.entries()) if (at !== index) listener(JSON.parse(text));
        },
        onPresence: (listener) => listeners.push(listener),
      },
      () => nowMs,
    ),
  );
  const online = () => presences.map((presence) => presence.online().sort((a, b) => a - b));
  /** Lets the time pass; each node has its turn every second. */
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      nowMs += 1_000;
      for (const presence of presences) presence.tick();
    }
  };
  return { presences, online, pass, state };
}

/** A world of one node. */
function oneNode() {
  const { presences, ...rest } = world(1);
  const [presence] = presences;
  assert(presence);
  return { presence, ...rest };
}

/** A world of two. */
function twoNodes() {
  const { presences, ...rest } = world(2);
  const [here, there] = presences;
  assert(here && there);
  return { here, there, ...rest };
}

describe('a member of one node', () => {
  it('is online with a socket, or for a minute after saying so', () => {
    const { presence, online, pass } = oneNode();
    presence.openSocket(1);
    presence.openSocket(1);
    presence.goOnline(2);
    assert.deepEqual(online(), [[1, 2]]);
    pass(59);
    assert.deepEqual(online(), [[1, 2]]);
    pass(1);
    assert.deepEqual(online(), [[1]]);
    presence.closeSocket(1);
    assert.deepEqual(online(), [[1]]);
    presence.closeSocket(1);
    assert.deepEqual(online(), [[]]);
  });
  it('is offline at once after saying so, also with a socket, until the next word or socket', () => {
    const { presence, online, pass } = oneNode();
    for (const member of [1, 2]) {
      presence.openSocket(member);
      presence.goOnline(member);
      presence.goOffline(member);
    }
    assert.deepEqual(online(), [[]]);
    pass(100);
    assert.deepEqual(online(), [[]]);
    presence.goOnline(1);
    presence.openSocket(2);
    assert.deepEqual(online(), [[1, 2]]);
    pass(100);
    assert.deepEqual(online(), [[1, 2]]);
  });
  it('is counted for the listeners when the number has changed, at most every 2 seconds', () => {
    const { presence, pass } = oneNode();
    const counts: number[] = [];
    presence.onCount((count) => counts.push(count));
    pass(5);
    assert.deepEqual(counts, []);
    for (let member = 1; member <= 4; member += 1) {
      presence.goOnline(member);
      pass(1);
    }
    assert.deepEqual(counts, [1, 3]);
    presence.goOffline(1);
    presence.goOnline(5);
    pass(1);
    assert.deepEqual(counts, [1, 3, 4]);
    presence.goOffline(5);
    presence.goOnline(5);
    pass(5);
    assert.deepEqual(counts, [1, 3, 4]);
  });
});

describe('the nodes of a site', () => {
  it('know of each other within a second, and say nothing while nothing changes', () => {
    const { here, there, online, pass, state } = twoNodes();
    pass(1);
    here.openSocket(1);
    there.goOnline(2);
    assert.deepEqual(online(), [[1], [2]]);
    pass(1);
    assert.deepEqual(online(), [
      [1, 2],
      [1, 2],
    ]);
    state.told = 0;
    pass(8);
    assert.equal(state.told, 0);
    pass(2);
    assert.equal(state.told, 2, 'each tells everybody once in ten seconds');
  });
  it('hide a member whose socket is at another node than the call', () => {
    const { here, there, online, pass } = twoNodes();
    there.openSocket(1);
    pass(1);
    here.goOffline(1);
    assert.deepEqual(online()[0], []);
    pass(1);
    assert.deepEqual(online(), [[], []]);
    pass(20);
    assert.deepEqual(online(), [[], []]);
    here.goOnline(1);
    pass(70);
    assert.deepEqual(online(), [[1], [1]], 'the socket counts again');
  });
  it('know their own while they do not hear each other, and forget the other after 30 seconds', () => {
    const { here, there, online, pass, state } = twoNodes();
    here.openSocket(1);
    there.openSocket(2);
    pass(1);
    state.isCut = true;
    here.openSocket(3);
    pass(20);
    assert.deepEqual(online(), [
      [1, 2, 3],
      [1, 2],
    ]);
    pass(10);
    assert.deepEqual(online(), [[1, 3], [2]]);
    state.isCut = false;
    pass(10);
    assert.deepEqual(online(), [
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });
  it('agree with one list of all, whatever happens at which node', () => {
    const command = fc.record({
      act: fc.constantFrom('open', 'close', 'online', 'offline', 'wait'),
      node: fc.nat(2),
      member: fc.integer({ min: 1, max: 3 }),
      seconds: fc.integer({ min: 1, max: 40 }),
    });
    type Known = { sockets: number[]; isHidden: boolean; saidAtS: number };
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        const { presences, online, pass } = world(3);
        const model = [1, 2, 3].map((): Known => ({ sockets: [0, 0, 0], isHidden: true, saidAtS: -100 }));
        let nowS = 0;
        for (const { act, node, member, seconds } of commands) {
          const presence = presences[node] as Presence;
          const known = model[member - 1] as Known;
          const sockets = known.sockets[node] as number;
          if (act === 'open') {
            presence.openSocket(member);
            Object.assign(known, { isHidden: false, sockets: known.sockets.with(node, sockets + 1) });
          } else if (act === 'close' && sockets > 0) {
            presence.closeSocket(member);
            known.sockets = known.sockets.with(node, sockets - 1);
          } else if (act === 'online') {
            presence.goOnline(member);
            Object.assign(known, { isHidden: false, saidAtS: nowS });
          } else if (act === 'offline') {
            presence.goOffline(member);
            Object.assign(known, { isHidden: true, saidAtS: -100 });
          }
          // Two turns: a node may have had its own before it heard another.
          const passed = act === 'wait' ? seconds + 1 : 2;
          pass(passed);
          nowS += passed;
          const isOnline = ({ sockets, isHidden, saidAtS }: Known) =>
            !isHidden && (sockets.some((count) => count > 0) || nowS - saidAtS < 60);
          const expected = [1, 2, 3].filter((one) => isOnline(model[one - 1] as Known));
          // A node hears of the end of another's minute up to a turn later.
          const isEnding = model.some(({ saidAtS }) => Math.abs(nowS - saidAtS - 60) <= 1);
          if (!isEnding) assert.deepEqual(online(), [expected, expected, expected]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
