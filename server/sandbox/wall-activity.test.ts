import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { readActivity } from '#contract/earning.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { type Person, testSite } from '../../test/site.ts';
import { prepareProviders } from './providers.ts';
import { walls } from './wall-registry.ts';

/** The activity of a wall from opening to credit and reversal, for all providers. */
const site = await testSite({ after });
await prepareProviders(site.platform, site.sandbox.wallOrigin);

type Line = ReplyOf<typeof readActivity>[number];
const activity = async (as: Person): Promise<Line[]> =>
  (await site.call('GET', '/api/offerwalls/activity', { as })).body;
const open = async (as: Person, wall: string) =>
  assert.equal((await site.call('POST', `/api/offerwalls/${wall}/open`, { as })).status, 204);
const advance = () => site.call('POST', '/sandbox/clock', { body: { advanceSeconds: 60 } });
async function press(wall: string, action: string, as: Person, points: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${site.config.sandboxPort}/sandbox/wall/${wall}/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: String(as.id), points }),
  });
  assert.equal(response.status, 200);
}
const short = ({ provider, state, amount }: Line) => `${provider} ${state} ${amount}`;

for (const { id: wall, name } of walls.values())
  describe(name, () => {
    it('shows an opening as opened, then credited, then reversed', async () => {
      const member = await site.member();
      const other = [...walls.keys()].find((id) => id !== wall) ?? '';
      await open(member, wall);
      const [opened] = await activity(member);
      assert.equal(short(opened as Line), `${wall} opened 0`);
      await advance();
      await open(member, other);
      await advance();
      await press(wall, 'complete', member, 240);
      const [credited, ...rest] = await activity(member);
      assert.equal(short(credited as Line), `${wall} credited 240`);
      assert.equal(credited?.openedAt, opened?.openedAt);
      assert.deepEqual(rest.map(short), [`${other} opened 0`]);
      await advance();
      await press(wall, 'reverse', member, 240);
      const [reversed, ...others] = await activity(member);
      assert.equal(short(reversed as Line), `${wall} reversed 240`);
      assert.equal(reversed?.openedAt, opened?.openedAt);
      assert.ok((reversed?.updatedAt ?? '') > (credited?.updatedAt ?? ''));
      assert.equal(others.length, 1);
    });

    it('shows a held credit as pending, and its reversal as reversed', async () => {
      const member = await site.member();
      await open(member, wall);
      const [opened] = await activity(member);
      await press(wall, 'complete', member, 12_000);
      const [pending] = await activity(member);
      assert.equal(short(pending as Line), `${wall} pending 12000`);
      assert.equal(pending?.openedAt, opened?.openedAt);
      await press(wall, 'reverse', member, 12_000);
      assert.deepEqual((await activity(member)).map(short), [`${wall} reversed 12000`]);
    });
  });
