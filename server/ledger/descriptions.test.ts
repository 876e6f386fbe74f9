import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Log } from '#platform/log.ts';
import { describeMovement, keepNames, type Names, sourceNameOf } from './descriptions.ts';

const names: Names = {
  providers: new Map([['cpx', 'CPX Research']]),
  methods: new Map([['litecoin', 'Litecoin']]),
};

const described = (movement: {
  kind: Parameters<typeof describeMovement>[0]['kind'];
  subject: string;
  provider?: string | null;
  isScreenOut?: boolean;
}): string => {
  const whole = { provider: null, isScreenOut: false, ...movement };
  return describeMovement(whole, sourceNameOf(whole, names));
};

describe('the description of a movement', () => {
  it('names the provider and the offer, or the outcome without an offer', () => {
    assert.equal(
      described({ kind: 'earning', provider: 'cpx', subject: 'Grocery: habits' }),
      'CPX Research: Grocery: habits',
    );
    assert.equal(described({ kind: 'earning', provider: 'cpx', subject: '' }), 'CPX Research: Completed');
    assert.equal(
      described({ kind: 'earning', provider: 'cpx', subject: '', isScreenOut: true }),
      'CPX Research: Screen-out',
    );
  });
  it('names the source and reason of a reversal', () => {
    assert.equal(
      described({ kind: 'reversal', provider: 'cpx', subject: 'duplicate answer' }),
      'Chargeback: CPX Research: duplicate answer',
    );
    assert.equal(
      described({ kind: 'reversal', provider: 'cpx', subject: '' }),
      'Chargeback: CPX Research: Policy Violation',
    );
    assert.equal(
      described({ kind: 'reversal', subject: 'Booked twice' }),
      'Chargeback: Manual: Booked twice',
    );
  });
  it('names the day, the friend, the side, the reason and the payment method', () => {
    assert.equal(described({ kind: 'bonus', subject: '3' }), 'Daily bonus: day 3');
    assert.equal(described({ kind: 'referral', subject: '123456' }), 'Referral: friend 123456');
    assert.equal(described({ kind: 'coinflip-stake', subject: 'tails' }), 'Coin flip: tails');
    assert.equal(described({ kind: 'coinflip-prize', subject: 'heads' }), 'Coin flip: heads');
    assert.equal(described({ kind: 'grant', subject: 'Welcome gift' }), 'Welcome gift');
    assert.equal(described({ kind: 'withdrawal', subject: 'litecoin' }), 'Withdrawal: Litecoin');
    assert.equal(
      described({ kind: 'withdrawal-return', subject: 'litecoin' }),
      'Withdrawal returned: Litecoin',
    );
  });
  it('uses the id of a provider or method without a name', () => {
    assert.equal(described({ kind: 'earning', provider: 'gone', subject: 'A' }), 'gone: A');
    assert.equal(described({ kind: 'withdrawal', subject: 'doge' }), 'Withdrawal: doge');
  });
});

describe('keepNames', () => {
  const withProvider = (name: string): Names => ({ providers: new Map([['cpx', name]]), methods: new Map() });
  const silent: Pick<Log, 'error'> = { error: () => undefined };
  /** Names whose reads end when and as the test says. `pass` lets more than a second pass. */
  const startReads = (t: TestContext) => {
    let nowMs = 1_000;
    t.mock.method(performance, 'now', () => nowMs);
    const reads: PromiseWithResolvers<Names>[] = [];
    const failures: unknown[] = [];
    const read = keepNames(
      () => {
        const started = Promise.withResolvers<Names>();
        reads.push(started);
        return started.promise;
      },
      { error: (failure: unknown) => failures.push(failure) },
    );
    const pass = () => {
      nowMs += 1_001;
    };
    return { read, reads, failures, pass };
  };

  it('reads names once a second, and returns the same object while nothing changes', async (t) => {
    let reads = 0;
    let name = 'CPX';
    let nowMs = 1_000;
    t.mock.method(performance, 'now', () => nowMs);
    const read = keepNames(async () => {
      reads += 1;
      return withProvider(name);
    }, silent);
    const first = await read();
    assert.equal(await read(), first);
    assert.equal(reads, 1);
    nowMs += 1_001;
    assert.equal(await read(), first);
    assert.equal(reads, 2);
    name = 'CPX Research';
    nowMs += 1_001;
    assert.equal((await read()).providers.get('cpx'), 'CPX Research');
  });
  it('reads names again after a failure', async () => {
    let isDown = true;
    const read = keepNames(async () => {
      if (isDown) throw new Error('away');
      return withProvider('CPX');
    }, silent);
    await assert.rejects(read(), /away/);
    isDown = false;
    assert.equal((await read()).providers.get('cpx'), 'CPX');
  });
  it('answers with the last names while reads fail, and logs each failure', async (t) => {
    const { read, reads, failures, pass } = startReads(t);
    const first = read();
    reads[0]?.resolve(withProvider('CPX'));
    const names = await first;
    for (const count of [1, 2]) {
      pass();
      const later = read();
      reads.at(-1)?.reject(new Error('away'));
      assert.equal(await later, names);
      assert.equal(failures.length, count);
    }
    pass();
    const back = read();
    reads.at(-1)?.resolve(withProvider('CPX Research'));
    assert.equal((await back).providers.get('cpx'), 'CPX Research');
  });
  it('answers with the last names while a read is slow, and starts no second one', async (t) => {
    const { read, reads, pass } = startReads(t);
    const first = read();
    reads[0]?.resolve(withProvider('CPX'));
    const names = await first;
    for (let later = 0; later < 3; later += 1) {
      pass();
      assert.equal(await read(), names);
    }
    assert.equal(reads.length, 2);
    reads[1]?.resolve(withProvider('CPX Research'));
    await setImmediate();
    assert.equal((await read()).providers.get('cpx'), 'CPX Research');
  });
  it('shares a first read, and reads again after it failed', async (t) => {
    const { read, reads, pass } = startReads(t);
    const slow = read();
    pass();
    const second = read();
    assert.equal(reads.length, 1);
    reads[0]?.reject(new Error('too slow'));
    await assert.rejects(slow, /too slow/);
    await assert.rejects(second, /too slow/);
    const again = read();
    reads[1]?.resolve(withProvider('CPX'));
    assert.equal((await again).providers.get('cpx'), 'CPX');
  });
});
