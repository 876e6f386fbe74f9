import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLimits } from './limits.ts';

const live = { mode: 'live', limitFactor: 1 } as const;

const countOf = async (addresses: string[]): Promise<number> => {
  const limits = createLimits(live, null);
  let counted = 0;
  for (const address of addresses)
    await limits.countRegistration(address).then(
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
  it('counts one by one where each has an owner', async () => {
    assert.equal(await countOf(twelve(() => '203.0.113.9')), 10);
    assert.equal(await countOf(twelve((index) => `203.0.113.${Number.parseInt(index, 16)}`)), 12);
  });
  it('counts the 64 bits that one line has as one', async () => {
    assert.equal(await countOf(twelve((index) => `2001:db8:1:2::${index}`)), 10);
    assert.equal(await countOf(twelve((index) => `2001:db8:1:${index}::1`)), 12);
  });
  it('knows an address of the old kind in the clothes of the new', async () => {
    const mixed = twelve((index) => (Number.parseInt(index, 16) % 2 ? '::ffff:203.0.113.9' : '203.0.113.9'));
    assert.equal(await countOf(mixed), 10);
    assert.equal(await countOf(twelve((index) => `::ffff:203.0.113.${Number.parseInt(index, 16)}`)), 12);
  });
});

/** How many of the calls in a row are let through before the first that is not; `tries` where none is refused. */
async function allowedOf(tries: number, call: () => Promise<unknown>): Promise<number> {
  for (let count = 0; count < tries; count += 1) {
    const answer = await call().catch(({ code }) => code);
    if (answer === 'rate-limited' || answer === false) return count;
  }
  return tries;
}

/** What is let through of a thousand of each. */
async function allowedBy(mode: 'live' | 'sandbox', limitFactor: number) {
  const limits = createLimits({ mode, limitFactor }, null);
  let mailbox = 0;
  return {
    calls: await allowedOf(1_000, () => limits.countCall('member:1')),
    registrations: await allowedOf(1_000, () => limits.countRegistration('203.0.113.9')),
    gateTries: await allowedOf(1_000, () => limits.countGateTry('203.0.113.9')),
    codes: await allowedOf(1_000, () => limits.countPhoneCode('member:1')),
    exports: await allowedOf(1_000, () => limits.countExport(1)),
    mails: await allowedOf(1_000, () => limits.countMail('one@example.com', '203.0.113.10')),
    mailsOfAddress: await allowedOf(1_000, () => {
      mailbox += 1;
      return limits.countMail(`${mailbox}@example.com`, '203.0.113.11');
    }),
    fingerprints: await allowedOf(1_000, () => limits.countFingerprint('member:1')),
    refusedKept: await allowedOf(1_000, () => limits.mayKeepRefused('203.0.113.9')),
  };
}

describe('the factor', () => {
  const own = { gateTries: 10, codes: 5, exports: 10, mails: 5, mailsOfAddress: 20, fingerprints: 120 };
  it('of a live site multiplies calls and registrations, and nothing that costs or fills a disk', async () => {
    const expected = { calls: 600, registrations: 10, ...own, refusedKept: 60 };
    assert.deepEqual(await allowedBy('live', 1), expected);
    assert.deepEqual(await allowedBy('live', 1_000), { ...expected, calls: 1_000, registrations: 1_000 });
    assert.deepEqual(await allowedBy('live', 0.1), { ...expected, calls: 60, registrations: 1 });
  });
  it('of a sandbox multiplies them all but tries at a secret', async () => {
    const tries = Object.entries(await allowedBy('sandbox', 1_000));
    for (const [what, allowed] of tries) assert.equal(allowed, what === 'gateTries' ? 10 : 1_000, what);
  });
});
