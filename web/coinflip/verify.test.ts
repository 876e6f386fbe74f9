import assert from 'node:assert/strict';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { canVerify, repeatDraw } from './verify.ts';

test('computes the same draw as another implementation', async () => {
  assert.ok(canVerify());
  const sides = new Set<string>();
  for (let nonce = 0; nonce < 200; nonce += 1) {
    const serverSeed = randomBytes(32).toString('hex');
    const clientSeed = nonce % 2 === 0 ? '행운을 빌어요 🪙' : randomBytes(8).toString('hex');
    const mac = createHmac('sha256', serverSeed).update(`${clientSeed}:${nonce}`).digest();
    const draw = await repeatDraw({ serverSeed, clientSeed, nonce });
    assert.deepEqual(draw, {
      seal: createHash('sha256').update(serverSeed).digest('hex'),
      mac: mac.toString('hex'),
      firstByte: mac[0],
      side: (mac[0] as number) % 2 === 0 ? 'heads' : 'tails',
    });
    sides.add(draw.side);
  }
  assert.equal(sides.size, 2);
});
