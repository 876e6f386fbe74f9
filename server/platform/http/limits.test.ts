import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  fingerprints,
  gateTries,
  mailsFromAddress,
  mailsToMailbox,
  phoneCodes,
  phoneNumbers,
  registrations,
} from '../../access/limits.ts';
import { keptRefusals } from '../../earning/postbacks.ts';
import { dataCopies } from '../../members/routes.ts';
import { callsOfCaller, callsOfSource } from './admission.ts';
import { createLimits, type Limit } from './limits.ts';
import { listExports } from './list-exports.ts';

const live = { mode: 'live', limitFactor: 1 } as const;

const countOf = async (addresses: string[]): Promise<number> => {
  const limits = createLimits(live, null);
  let counted = 0;
  for (const address of addresses)
    await limits.count(registrations, address).then(
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
  [registrations, 10],
  [gateTries, 10],
  [phoneCodes, 5],
  [phoneNumbers, 20],
  [dataCopies, 10],
  [mailsToMailbox, 5],
  [mailsFromAddress, 20],
  [fingerprints, 120],
  [keptRefusals, 60],
  [listExports, 30],
];
const multiplied = [callsOfSource, callsOfCaller, registrations];

describe('the factor', () => {
  it('multiplies only calls and registrations on a live site', async () => {
    for (const [limit, max] of declared) {
      const isMultiplied = multiplied.includes(limit);
      assert.equal(await allowedBy('live', 1, limit), max, limit.name);
      assert.equal(await allowedBy('live', 1_000, limit), isMultiplied ? TRIES : max, limit.name);
      assert.equal(await allowedBy('live', 0.1, limit), isMultiplied ? max / 10 : max, limit.name);
    }
  });
  it('multiplies all limits but those on attempts at a secret in the sandbox', async () => {
    for (const [limit, max] of declared) {
      const expected = limit === gateTries ? max : Math.min(TRIES, max * 1_000);
      assert.equal(await allowedBy('sandbox', 1_000, limit), expected, limit.name);
    }
  });
});
