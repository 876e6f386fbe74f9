import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLimits } from './limits.ts';

const countOf = async (addresses: string[]): Promise<number> => {
  const limits = createLimits(1, null);
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
