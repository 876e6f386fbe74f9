import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as access from '../../access/limits.ts';
import { keptRefusals } from '../../earning/postbacks.ts';
import { dataCopies } from '../../members/routes.ts';
import { openedTickets } from '../../support/routes.ts';
import type { Refusal } from '../refusal.ts';
import { callsOfCaller, callsOfSource } from './admission.ts';
import { createLimits, type Limit, type Limits } from './limits.ts';
import { listExports } from './list-exports.ts';

const live = { mode: 'live', limitFactor: 1 } as const;

const countOf = async (addresses: string[]): Promise<number> => {
  const limits = createLimits(live, null);
  let counted = 0;
  for (const address of addresses)
    await limits.count(access.registrations, address).then(
      () => {
        counted += 1;
      },
      ({ code }) => assert.equal(code, 'rate-limited'),
    );
  return counted;
};
const twelve = (address: (index: string) => string) =>
  Array.from({ length: 12 }, (_, index) => address((index + 1).toString(16)));

describe('a limit by address', () => {
  it('counts each IPv4 address', async () => {
    assert.equal(await countOf(twelve(() => '203.0.113.9')), 10);
    assert.equal(await countOf(twelve((index) => `203.0.113.${Number.parseInt(index, 16)}`)), 12);
  });
  it('counts the /64 of an IPv6 address', async () => {
    assert.equal(await countOf(twelve((index) => `2001:db8:1:2::${index}`)), 10);
    assert.equal(await countOf(twelve((index) => `2001:db8:1:${index}::1`)), 12);
  });
  it('counts the /48 of an IPv6 address with ten times the limit', async () => {
    const lines = Array.from({ length: 120 }, (_, index) => `2001:db8:1:${index.toString(16)}::1`);
    assert.equal(await countOf(lines), 100);
    assert.equal(await countOf([...lines, '2001:db8:2::1']), 101);
  });
  it('counts an IPv4 address alike when it is written as IPv6', async () => {
    const mixed = twelve((index) => (Number.parseInt(index, 16) % 2 ? '::ffff:203.0.113.9' : '203.0.113.9'));
    assert.equal(await countOf(mixed), 10);
    assert.equal(await countOf(twelve((index) => `::ffff:203.0.113.${Number.parseInt(index, 16)}`)), 12);
  });
});

const TRIES = 7_000;

/** Counts the calls of 7,000 that pass. */
async function allowedBy(mode: 'live' | 'sandbox', limitFactor: number, limit: Limit): Promise<number> {
  const limits = createLimits({ mode, limitFactor }, null);
  for (let count = 0; count < TRIES; count += 1) if (!(await limits.isWithin(limit, 'one'))) return count;
  return TRIES;
}

/** Counts the calls that each limit of the site lets pass. */
const declared: [Limit, number][] = [
  [callsOfSource, 6_000],
  [callsOfCaller, 600],
  [access.registrations, 10],
  [access.registrationChecks, 20],
  [access.takenAnswers, 5],
  [access.takenMails, 1],
  [access.failedSignIns, 10],
  [access.failedSignInsOfDevice, 10],
  [access.failedSignInsOfSource, 100],
  [access.failedSignInsOfAccount, 50],
  [access.ownPasswordChecks, 10],
  [access.gateTries, 10],
  [access.phoneCodes, 5],
  [access.phoneCodesOfSource, 30],
  [access.phoneCodesOfNumber, 20],
  [access.phoneNumbers, 20],
  [access.phoneNumbersOfSource, 100],
  [dataCopies, 10],
  [access.mailsToMailbox, 5],
  [access.mailsFromAddress, 20],
  [access.fingerprints, 120],
  [keptRefusals, 60],
  [listExports, 30],
  [openedTickets, 10],
];
const multiplied = [callsOfSource, callsOfCaller, access.registrations];

describe('the factor', () => {
  it('multiplies only calls and registrations on a live site', async () => {
    for (const [limit, max] of declared) {
      const isMultiplied = multiplied.includes(limit);
      assert.equal(await allowedBy('live', 1, limit), max, limit.name);
      assert.equal(await allowedBy('live', 1_000, limit), isMultiplied ? TRIES : max, limit.name);
      assert.equal(await allowedBy('live', 0.1, limit), isMultiplied ? max / 10 : max, limit.name);
    }
  });
  it('multiplies all limits in the sandbox but those on attempts at a secret and on mails to strangers', async () => {
    for (const [limit, max] of declared) {
      const expected = limit.scaledIn === 'never' ? max : Math.min(TRIES, max * 1_000);
      assert.equal(await allowedBy('sandbox', 1_000, limit), expected, limit.name);
    }
  });
});

describe('an attempt at a secret', () => {
  const perPair: Limit = { name: 'pair', max: 3, perS: 60, scaledIn: 'never' };
  const perSource: Limit = { name: 'source', max: 5, perS: 60, scaledIn: 'never' };
  const attemptsOn =
    (limits: Limits) => (account: string, address: string, result: 'right' | 'wrong' | Error) =>
      limits
        .attempt(
          { limit: perPair, key: { account, address } },
          [{ limit: perSource, key: address }],
          async () => {
            if (result instanceof Error) throw result;
            return result === 'right' ? true : undefined;
          },
        )
        .catch(({ code, message }) => code ?? message);

  it('counts failures of concurrent attempts before they end, over all accounts of a source', async () => {
    const attempt = attemptsOn(createLimits(live, null));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => attempt(`account ${index}`, '192.0.2.1', 'wrong')),
    );
    assert.equal(answers.filter((answer) => answer === undefined).length, 5);
    assert.equal(await attempt('another', '192.0.2.1', 'right'), 'rate-limited');
    assert.equal(await attempt('another', '192.0.2.2', 'right'), true);
  });
  it('counts an account at each source apart', async () => {
    const attempt = attemptsOn(createLimits(live, null));
    for (let tries = 0; tries < 3; tries += 1) await attempt('one', '192.0.2.1', 'wrong');
    assert.equal(await attempt('one', '192.0.2.1', 'right'), 'rate-limited');
    assert.equal(await attempt('one', '192.0.2.2', 'right'), true);
    assert.equal(await attempt('two', '192.0.2.1', 'right'), true);
  });
  it('keeps no count of successes and errors, and forgets the failures before a success', async () => {
    const attempt = attemptsOn(createLimits(live, null));
    for (let tries = 0; tries < 9; tries += 1) {
      assert.equal(await attempt('one', '192.0.2.1', 'right'), true);
      assert.equal(await attempt('one', '192.0.2.1', new Error('an outage')), 'an outage');
    }
    for (let tries = 0; tries < 2; tries += 1) await attempt('one', '192.0.2.1', 'wrong');
    assert.equal(await attempt('one', '192.0.2.1', 'right'), true);
    for (let tries = 0; tries < 3; tries += 1)
      assert.equal(await attempt('one', '192.0.2.1', 'wrong'), undefined);
    assert.equal(await attempt('two', '192.0.2.1', 'right'), 'rate-limited', 'five failures of the source');
  });
  it('counts the /64 and, tenfold, the /48 of an IPv6 source', async () => {
    const attempt = attemptsOn(createLimits(live, null));
    const answers = [];
    for (let host = 0; host < 4; host += 1)
      answers.push(await attempt('one', `2001:db8:1:2::${host}`, 'wrong'));
    assert.deepEqual(answers, [undefined, undefined, undefined, 'rate-limited']);
    let failures = 3;
    for (let line = 3; line < 60; line += 1)
      if ((await attempt('one', `2001:db8:1:${line}::1`, 'wrong')) === undefined) failures += 1;
    assert.equal(failures, 30);
  });
});

describe('counting in the process', () => {
  const limit: Limit = { name: 'here', max: 3, perS: 60, scaledIn: 'never' };
  /** The calls of `addresses` that pass. */
  const passing = (addresses: readonly string[]) => {
    const limits = createLimits({ mode: 'live', limitFactor: 1 }, null);
    return addresses.filter((address) => {
      try {
        limits.countHere(limit, address);
        return true;
      } catch (refusal) {
        assert.equal((refusal as Refusal).code, 'rate-limited');
        return false;
      }
    });
  };

  it('lets the limit pass for each address, and ten times as much for a /48', () => {
    assert.equal(passing(Array(5).fill('192.0.2.1')).length, 3);
    assert.equal(passing(['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.1', '192.0.2.1']).length, 4);
    const lines = Array.from({ length: 40 }, (_, line) => `2001:db8:1:${line.toString(16)}::1`);
    assert.equal(passing(lines).length, 30);
    assert.equal(passing(Array(5).fill('2001:db8:1:1::1')).length, 3);
  });
  it('counts an IPv4 address once when it is written as IPv6', () => {
    assert.equal(passing(Array(5).fill('::ffff:192.0.2.1')).length, 3);
    assert.equal(passing(['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '::ffff:192.0.2.1']).length, 3);
  });
  it('begins a new window after the last one', (t) => {
    let nowMs = 1_000;
    t.mock.method(performance, 'now', () => nowMs);
    const limits = createLimits({ mode: 'live', limitFactor: 1 }, null);
    for (let count = 0; count < 3; count += 1) limits.countHere(limit, '192.0.2.1');
    nowMs += 59_000;
    assert.throws(() => limits.countHere(limit, '192.0.2.1'), { code: 'rate-limited', retryAfterS: 1 });
    nowMs += 1_000;
    limits.countHere(limit, '192.0.2.1');
  });
});
