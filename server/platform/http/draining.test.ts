import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testSite } from '../../../test/site.ts';
import { drain } from './draining.ts';

test('fails readiness with Retry-After while draining', async () => {
  const site = await testSite({ after });
  const down = drain(site.platform.app);
  const { status, headers, problem } = await site.call('GET', '/readyz');
  assert.deepEqual([status, problem.code], [503, 'overloaded']);
  assert.ok(Number(headers.get('retry-after')) > 0);
  await down;
});
