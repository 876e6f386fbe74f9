import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { surveyCategories, taskCategories } from '#contract/earning-catalogue.ts';
import { sql } from '#platform/database.ts';
import { testSite } from '../../test/site.ts';
import { prepareCatalogue } from './demo-catalogue.ts';
import { prepareProviders } from './providers.ts';
import { walls } from './wall-registry.ts';

/** The demo catalogue of the first start. */
const site = await testSite({ after });
await prepareProviders(site.platform, site.sandbox.wallOrigin);
await prepareCatalogue(site.platform);
const member = await site.member();

type Entry = {
  title: string;
  provider: string;
  category: string;
  reward: string;
  minutes: number;
  url: string;
};
const read = async (path: string): Promise<Entry[]> => (await site.call('GET', path, { as: member })).body;

describe('the catalogue of the sandbox', () => {
  it('lists offers of every wall and category with their points and minutes', async () => {
    const [tasks, surveys] = [await read('/api/tasks'), await read('/api/cpx-surveys')];
    const offers = [...walls.values()].flatMap((wall) =>
      wall.offers.map(({ title, points, minutes }) => `${wall.id} ${title} ${points} ${minutes}`),
    );
    for (const { provider, title, reward, minutes, url } of [...tasks, ...surveys]) {
      assert.ok(offers.includes(`${provider} ${title} ${reward} ${minutes}`), title);
      assert.equal(url, `/earn?wall=${provider}`);
    }
    const kinds = (entries: Entry[]) => [...new Set(entries.map(({ category }) => category))].sort();
    assert.deepEqual(kinds(tasks), [...taskCategories].sort());
    assert.deepEqual(kinds(surveys), [...surveyCategories].sort());
    const listed = new Set([...tasks, ...surveys].map(({ provider }) => provider));
    assert.deepEqual([...listed].sort(), [...walls.keys()].sort());
  });

  it('has a Korean title for every entry', async () => {
    for (const path of ['/api/tasks?lang=ko', '/api/cpx-surveys?lang=ko'])
      for (const { title } of await read(path)) assert.match(title, /[가-힣]/, title);
  });

  it('is filled once, so that removed entries stay removed', async () => {
    const before = await read('/api/tasks');
    await site.owner.rows(sql`delete from earning.catalogue where title = ${before[0]?.title ?? ''}`);
    await prepareCatalogue(site.platform);
    assert.equal((await read('/api/tasks')).length, before.length - 1);
  });
});
