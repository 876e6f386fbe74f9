import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { readTasks } from '#contract/earning-catalogue.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { sql } from '#platform/database.ts';
import { type Person, testSite } from '../../test/site.ts';
import { addListings } from './catalogue.ts';
import type { NewListing } from './catalogue-queries.ts';

/** The catalogue of tasks and surveys, over HTTP. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });
const member = await site.member();
const configure = (id: string, isEnabled: boolean) =>
  site.call('PUT', `/api/admin/providers/${id}`, {
    as: operator,
    body: { isEnabled, apiKey: 'app', secret: `secret of ${id}` },
  });
for (const id of ['cpx', 'kiwiwall']) assert.equal((await configure(id, true)).status, 200);

type Listing = ReplyOf<typeof readTasks>[number];
const read = async (path: string, as: Person = member): Promise<Listing[]> => {
  const { status, body } = await site.call('GET', path, { as });
  assert.equal(status, 200);
  return body;
};
const titles = async (path: string) => (await read(path)).map(({ title }) => title);

const game: NewListing = {
  kind: 'task',
  category: 'game',
  provider: 'kiwiwall',
  title: { en: 'Harbour', ko: '항구' },
  description: { en: 'Reach level 12' },
  points: 2_400n,
  minutes: 180,
  seedKey: 'test:game',
  hoursAgo: 5,
};
const survey: NewListing = {
  kind: 'survey',
  category: 'social_research',
  provider: 'cpx',
  title: { en: 'Commuting' },
  description: { en: 'By any means' },
  points: 75n,
  minutes: 6,
  seedKey: 'test:survey',
};

describe('the catalogue', () => {
  it('is empty on a new site, requires a session, and refuses an unknown language', async () => {
    assert.deepEqual([await read('/api/tasks'), await read('/api/cpx-surveys')], [[], []]);
    for (const path of ['/api/tasks', '/api/cpx-surveys']) {
      assert.equal((await site.call('GET', path)).status, 401);
      assert.equal((await site.call('GET', `${path}?lang=fr`, { as: member })).status, 400);
    }
  });

  it('shows an entry in the contract’s shape, with a link to the provider’s wall in the site’s frame', async () => {
    assert.equal(await addListings(site.database, [game, survey]), 2);
    const [shown, ...others] = await read('/api/tasks');
    assert.equal(others.length, 0);
    const { id, createdAt, ...rest } = shown as Listing;
    assert.match(id, /^[1-9]\d*$/);
    assert.ok(Math.abs(Date.now() - 5 * 3_600_000 - Date.parse(createdAt)) < 60_000);
    assert.deepEqual(rest, {
      title: 'Harbour',
      description: 'Reach level 12',
      provider: 'kiwiwall',
      category: 'game',
      reward: '2400',
      minutes: 180,
      url: '/earn?wall=kiwiwall',
      imageUrl: null,
      steps: [],
    });
    const [answered] = await read('/api/cpx-surveys');
    assert.equal(answered?.category, 'social_research');
  });

  it('shows Korean texts, and English ones without a Korean text', async () => {
    const [shown] = await read('/api/tasks?lang=ko');
    assert.deepEqual([shown?.title, shown?.description], ['항구', 'Reach level 12']);
    assert.deepEqual(await titles('/api/cpx-surveys?lang=ko'), ['Commuting']);
  });

  it('adds an entry once, and none of an unknown provider', async () => {
    const stranger: NewListing = { ...game, provider: 'nobody', seedKey: 'test:nobody' };
    const newer: NewListing = { ...game, title: { en: 'Orchard' }, seedKey: 'test:newer', hoursAgo: 1 };
    assert.equal(await addListings(site.database, [game, survey, stranger, newer]), 1);
    assert.deepEqual(await titles('/api/tasks'), ['Orchard', 'Harbour'], 'newest first');
  });

  it('links to the operator’s own URL, which must be https', async () => {
    const change = (url: string) =>
      site.owner.rows(sql`update earning.catalogue set url = ${url} where seed_key = 'test:game'`);
    await change('https://partner.example/offer?id=7');
    assert.equal((await read('/api/tasks'))[1]?.url, 'https://partner.example/offer?id=7');
    for (const url of ['javascript:alert(1)', 'http://partner.example/', '//partner.example'])
      await assert.rejects(change(url), /catalogue_url_check/);
  });

  it('omits entries that are disabled, have expired, or have no wall that can be opened', async () => {
    const shows = async (change: ReturnType<typeof sql>) => {
      await site.owner.rows(sql`update earning.catalogue set ${change} where seed_key = 'test:newer'`);
      return (await titles('/api/tasks')).includes('Orchard');
    };
    assert.equal(await shows(sql`is_enabled = false`), false);
    assert.equal(await shows(sql`is_enabled = true`), true);
    assert.equal(await shows(sql`expires_at = platform.business_now() - interval '1 second'`), false);
    assert.equal(await shows(sql`expires_at = platform.business_now() + interval '1 day'`), true);
    await configure('kiwiwall', false);
    assert.deepEqual(await titles('/api/tasks'), []);
    assert.deepEqual(await titles('/api/cpx-surveys'), ['Commuting']);
    await configure('kiwiwall', true);
    assert.deepEqual(await titles('/api/tasks'), ['Orchard', 'Harbour']);
  });

  it('is readable while the member’s earnings are suspended', async () => {
    const other = await site.member();
    await site.owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
      values (${other.id}, 'test', 'temporary', 'earnings_blocked', platform.business_now())`);
    assert.equal((await read('/api/tasks', other)).length, 2);
  });
});

describe('POST /api/admin/seed-tasks', () => {
  const seed = (as?: Person) => site.call('POST', '/api/admin/seed-tasks', as === undefined ? {} : { as });

  it('refuses members and visitors', async () => {
    assert.equal((await seed()).status, 401);
    const { status, problem } = await seed(member);
    assert.deepEqual([status, problem.code], [403, 'forbidden']);
  });

  it('§2-7 seed of the catalogue: adds the first entries once for repeated and concurrent calls', async () => {
    const answers = await Promise.all([seed(operator), seed(operator), seed(operator)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    const created = answers.reduce((sum, { body }) => sum + body.created, 0);
    const { count } = await site.owner.one<{ count: bigint }>(sql`
      select count(*) from earning.catalogue where seed_key like 'starter:%'`);
    assert.ok(created > 0);
    assert.equal(created, Number(count));
    assert.deepEqual((await seed(operator)).body, { created: 0 });
    assert.ok((await titles('/api/cpx-surveys')).includes('Surveys that fit your profile'));
    assert.ok((await titles('/api/cpx-surveys?lang=ko')).includes('내 프로필에 맞는 설문'));
  });
});
