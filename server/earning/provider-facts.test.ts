import assert from 'node:assert/strict';
import { test } from 'node:test';
import { providerFacts } from '#contract/earning.ts';
import { providers } from './providers/registry.ts';

test('every provider has its usual delay, and rewards that make a range', () => {
  for (const id of Object.keys(providers)) {
    const { arrivesWithinHours, rewardPointsMin, rewardPointsMax, minutesMin, minutesMax } =
      providerFacts(id);
    assert.equal(arrivesWithinHours, id === 'cpx' ? 24 : 72, id);
    assert.ok((rewardPointsMin ?? 0) <= (rewardPointsMax ?? Number.POSITIVE_INFINITY), id);
    assert.ok((minutesMin ?? 0) <= (minutesMax ?? Number.POSITIVE_INFINITY), id);
  }
  const { minutesMin, minutesMax, rewardPointsMax } = providerFacts('cpx');
  assert.deepEqual([minutesMin, minutesMax, rewardPointsMax], [5, 15, 200]);
});

test('nothing is told of a provider that is not among them', () => {
  for (const id of ['', 'nobody', 'constructor', '__proto__'])
    assert.ok(
      Object.values(providerFacts(id)).every((fact) => fact === null),
      id,
    );
});
