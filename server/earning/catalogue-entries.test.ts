import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { CatalogueEntry } from '#contract/earning-catalogue-entries.ts';
import { sql } from '#platform/database.ts';
import { type Person, testSite } from '../../test/site.ts';

/** The catalogue as operators keep it, over HTTP. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });
const member = await site.member();
const path = '/api/admin/catalogue';
for (const id of ['cpx', 'kiwiwall']) {
  const body = { isEnabled: true, apiKey: 'app', secret: `secret of ${id}` };
  assert.equal((await site.call('PUT', `/api/admin/providers/${id}`, { as: operator, body })).status, 200);
}

const given = {
  kind: 'task',
  category: 'game',
  provider: 'kiwiwall',
  title: 'Harbour',
  description: 'Reach level 12',
  reward: '2400',
  minutes: 180,
};
const call = (method: string, to: string, body?: unknown, as: Person = operator) =>
  site.call(method, to, { as, ...(body === undefined ? {} : { body }) });
const add = async (fields: object = {}): Promise<CatalogueEntry> => {
  const { status, body } = await call('POST', path, { ...given, ...fields });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
};
const tasks = async (query = '') => (await call('GET', `/api/tasks${query}`, undefined, member)).body;
const titles = async () => (await tasks()).map(({ title }: { title: string }) => title);
const listed = async (query = 'kind=task'): Promise<CatalogueEntry[]> =>
  (await call('GET', `${path}?${query}`)).body;

/** The smallest picture of one pixel, and other bytes. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');

describe('an entry of the catalogue', () => {
  it('is added above the others, with its steps in the member’s language', async () => {
    await add({ title: 'Orchard' });
    const added = await add({
      titleKo: '항구',
      reward: undefined,
      steps: [
        { title: 'Level 5', titleKo: '레벨 5', points: '400', days: 3 },
        { title: 'Level 12', points: '2000' },
      ],
    });
    assert.deepEqual([added.reward, added.state, added.steps[1]?.days], ['2400', 'shown', null]);
    assert.deepEqual(await titles(), ['Harbour', 'Orchard']);
    const [shown] = await tasks('?lang=ko');
    assert.equal(shown.title, '항구');
    assert.deepEqual(shown.steps, [
      { title: '레벨 5', points: '400', days: 3 },
      { title: 'Level 12', points: '2000', days: null },
    ]);
  });

  it('is refused with the name of each wrong field', async () => {
    const faultsOf = async (fields: object) =>
      (await call('POST', path, { ...given, ...fields })).problem.errors?.map(({ path: field }) => field);
    const step = { title: 'One', points: '100' };
    for (const [fields, wrong] of [
      [{ category: 'general' }, 'category'],
      [{ reward: undefined }, 'reward'],
      [{ steps: [step] }, 'reward'],
      [{ steps: [{ ...step, points: '0' }] }, 'steps.0.points'],
      [{ url: 'http://partner.example/' }, 'url'],
      [{ url: 'javascript:alert(1)' }, 'url'],
      [{ picture: svg }, 'picture'],
      [{ picture: 'no base64' }, 'picture'],
      [{ minutes: 0 }, 'minutes'],
    ] as const)
      assert.ok((await faultsOf(fields))?.includes(wrong), `${wrong} of ${JSON.stringify(fields)}`);
    const stranger = await call('POST', path, { ...given, provider: 'nobody' });
    assert.deepEqual([stranger.status, stranger.problem.code], [404, 'unknown-provider']);
    const large = await call('POST', path, { ...given, picture: Buffer.alloc(65_537).toString('base64') });
    assert.equal(large.status, 400);
  });

  it('is changed, unless another operator changed it since', async () => {
    const before = await add();
    const put = (fields: object) => call('PUT', `${path}/${before.id}`, { ...given, ...fields });
    const { status, body } = await put({ title: 'Harbour 2', version: before.version });
    assert.deepEqual([status, body.title], [200, 'Harbour 2']);
    const late = await put({ title: 'Harbour 3', version: before.version });
    assert.deepEqual([late.status, late.problem.code], [409, 'settings-changed']);
    assert.equal((await call('PUT', `${path}/999999`, given)).status, 404);
  });

  it('is hidden, expires, and can’t be reached while its provider is off', async () => {
    const { id } = await add({ title: 'Lantern' });
    const stateAfter = async (fields: object) => {
      await call('PUT', `${path}/${id}`, { ...given, title: 'Lantern', ...fields });
      const [row] = await listed(`id=${id}`);
      assert.deepEqual((await titles()).includes('Lantern'), row?.state === 'shown');
      assert.deepEqual((await listed(`state=${row?.state}`)).map((one) => one.id).includes(id), true);
      return row?.state;
    };
    assert.equal(await stateAfter({ isEnabled: false }), 'hidden');
    assert.equal(await stateAfter({ expiresAt: '2020-01-01T00:00:00Z' }), 'expired');
    assert.equal(await stateAfter({ expiresAt: '2999-01-01T00:00:00Z' }), 'shown');
    assert.equal(await stateAfter({ provider: 'adgem' }), 'unreachable');
  });

  it('is taken off, and what a member began at its provider stays', async () => {
    const { id } = await add({ title: 'Market' });
    assert.equal((await call('POST', '/api/offerwalls/kiwiwall/open', undefined, member)).status, 204);
    assert.equal((await call('DELETE', `${path}/${id}`)).status, 204);
    assert.equal((await titles()).includes('Market'), false);
    assert.deepEqual(await listed(`id=${id}`), []);
    assert.equal((await call('DELETE', `${path}/${id}`)).status, 404);
    assert.equal((await call('PUT', `${path}/${id}`, given)).status, 404);
    const activity = (await call('GET', '/api/offerwalls/activity', undefined, member)).body;
    assert.equal(activity[0].provider, 'kiwiwall');
  });

  it('is not added again by the default entries once it was taken off', async () => {
    const { body } = await call('POST', '/api/admin/seed-tasks');
    assert.ok(body.created > 0);
    const [starter] = (await listed('kind=survey&provider=cpx')) as [CatalogueEntry];
    await call('DELETE', `${path}/${starter.id}`);
    assert.deepEqual((await call('POST', '/api/admin/seed-tasks')).body, { created: 0 });
    assert.deepEqual(await listed(`id=${starter.id}`), []);
  });

  it('is no business of members', async () => {
    for (const [method, to] of [
      ['GET', path],
      ['POST', path],
      ['DELETE', `${path}/1`],
    ] as const)
      assert.equal((await call(method, to, method === 'POST' ? given : undefined, member)).status, 403);
  });
});

describe('the picture of an entry', () => {
  const bytesOf = async (url: string) => {
    const answer = await fetch(`${site.origin}${url}`);
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  it('is stored and sent by this site, kept by browsers, replaced and removed', async () => {
    const entry = await add({ title: 'With a picture', picture: png });
    const url = entry.imageUrl ?? '';
    assert.match(url, /^\/api\/tasks\/pictures\/[0-9a-f]{64}$/);
    assert.equal((await tasks()).find(({ id }: CatalogueEntry) => id === entry.id)?.imageUrl, url);
    const { answer, bytes } = await bytesOf(url);
    assert.deepEqual([answer.status, bytes.toString('base64')], [200, png]);
    assert.equal(answer.headers.get('content-type'), 'image/png');
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    const put = async (fields: object): Promise<CatalogueEntry> =>
      (await call('PUT', `${path}/${entry.id}`, { ...given, ...fields })).body;
    assert.equal((await put({})).imageUrl, url, 'absent keeps it');
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64');
    const replaced = await put({ picture: jpeg });
    assert.notEqual(replaced.imageUrl, url);
    assert.equal((await bytesOf(url)).answer.status, 404);
    assert.equal((await put({ picture: null })).imageUrl, null);
    assert.equal((await bytesOf(replaced.imageUrl ?? '')).answer.status, 404);
  });
});

describe('the order of the catalogue', () => {
  const surveys = async () => (await listed('kind=survey&provider=cpx')).map(({ title }) => title);
  it('is the members’ order, and changes by moves within a kind', async () => {
    await site.owner.rows(sql`truncate earning.catalogue cascade`);
    const survey = { ...given, kind: 'survey', category: 'general', provider: 'cpx' };
    const ids: Record<string, string> = {};
    for (const title of ['a', 'b', 'c', 'd']) ids[title] = (await add({ ...survey, title })).id;
    await add({ title: 'a task' });
    const move = async (title: string, to: string) => {
      assert.equal((await call('POST', `${path}/${ids[title]}/move`, { to })).status, 200);
      const seen = (await call('GET', '/api/cpx-surveys', undefined, member)).body;
      assert.deepEqual(
        seen.map((one: CatalogueEntry) => one.title),
        await surveys(),
      );
      return (await surveys()).join('');
    };
    assert.equal((await surveys()).join(''), 'dcba');
    assert.equal(await move('a', 'first'), 'adcb');
    assert.equal(await move('a', 'up'), 'adcb');
    assert.equal(await move('a', 'down'), 'dacb');
    assert.equal(await move('b', 'up'), 'dabc');
    assert.equal(await move('d', 'last'), 'abcd');
    assert.equal(await move('d', 'down'), 'abcd');
    assert.equal(await move('b', 'down'), 'acbd');
    const beside = async (title: string, side: 'above' | 'below', other: string) => {
      const body = { to: side, other: ids[other] };
      assert.equal((await call('POST', `${path}/${ids[title]}/move`, body)).status, 200);
      return (await surveys()).join('');
    };
    assert.equal(await beside('d', 'above', 'c'), 'adcb');
    assert.equal(await beside('d', 'above', 'c'), 'adcb');
    assert.equal(await beside('b', 'above', 'a'), 'badc');
    assert.equal(await beside('b', 'below', 'c'), 'adcb');
    assert.equal(await beside('a', 'below', 'a'), 'adcb');
    const [{ id: task }] = (await listed('kind=task')) as [CatalogueEntry];
    for (const other of [task, '999999'])
      assert.equal((await call('POST', `${path}/${ids.a}/move`, { to: 'above', other })).status, 404);
    for (const body of [{ to: 'above' }, { to: 'up', other: ids.b }])
      assert.equal((await call('POST', `${path}/${ids.a}/move`, body)).status, 400);
    assert.equal((await surveys()).join(''), 'adcb');
  });

  it('holds among entries of equal place, and when no room is left between two', async () => {
    const ids = new Map((await listed('kind=survey')).map(({ id, title }) => [title, id]));
    const move = async (title: string, to: string) => {
      assert.equal((await call('POST', `${path}/${ids.get(title)}/move`, { to })).status, 200);
      return (await surveys()).join('');
    };
    await site.owner.rows(sql`update earning.catalogue set position = 0, created_at = now()`);
    assert.equal((await surveys()).join(''), 'dcba');
    assert.equal(await move('a', 'up'), 'dcab');
    for (let turn = 0; turn < 60; turn += 1) await move(turn % 2 === 0 ? 'd' : 'c', 'down');
    assert.equal((await surveys()).length, 4);
    assert.equal(new Set(await surveys()).size, 4);
  });
});
