import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { announcement, operatorAnnouncement } from '#contract/announcements.ts';
import type { ServerEvent } from '#contract/events.ts';
import { advanceClock } from '#platform/clock.ts';
import { sql } from '#platform/database.ts';
import { type Answer, testSite } from '../../test/site.ts';
import { announceDue, keepLatestId } from './announcements.ts';

/** Announcements over HTTP: what everybody reads, what operators publish, schedule and delete. */
const site = await testSite({ after });
const as = await site.member({ role: 'admin' });
const PATH = '/api/admin/announcements';
const DAY_MS = 86_400_000;
const pause = { title: 'A short pause', content: 'Credits wait.\n\nNone is lost.' };
const korean = { titleKo: '잠시 멈춥니다', contentKo: '적립은 뒤에 들어옵니다.' };

const publish = (body: unknown, by = as) => site.call('POST', PATH, { as: by, body });
const remove = (id: string, by = as) => site.call('DELETE', `${PATH}/${id}`, { as: by });
const latest = async (query = '') => (await site.call('GET', `/api/announcements/latest${query}`)).body;
const titles = async (query = ''): Promise<string[]> =>
  (await site.call('GET', `/api/announcements${query}`)).body.map(({ title }: { title: string }) => title);
const empty = () => site.owner.rows(sql`delete from announcements.announcements`);
const actsOf = (id: string) =>
  site.owner.rows<{
    act: string;
    before: Record<string, unknown> | null;
    after: { title: string } | null;
  }>(sql`
    select act, before, after from platform.acts
    where target_kind = 'announcement' and target = ${id} order by id`);
/** Business time, to which a test may add. */
const businessTime = async (laterMs = 0): Promise<string> => {
  const { now } = await site.owner.one<{ now: Date }>(sql`select platform.business_now() as now`);
  return new Date(now.getTime() + laterMs).toISOString();
};
const siteDay = async (days: number): Promise<string> =>
  (
    await site.owner.one<{ day: string }>(sql`
      select to_char(platform.site_day(platform.business_now()) + ${days}::integer, 'YYYY-MM-DD') as day`)
  ).day;

const told: ServerEvent[] = [];
site.platform.bus.onNewsForAll((event) => void told.push(event));

function refused(answer: Answer, status: number, code: string, field?: string): void {
  assert.deepEqual([answer.status, answer.problem.code], [status, code], JSON.stringify(answer.body));
  if (field !== undefined) assert.equal(answer.problem.errors?.[0]?.path, field);
}

test('§1-3 announcement: is read by everybody, newest first, in either language', async () => {
  await empty();
  const none = await site.call('GET', '/api/announcements/latest');
  assert.deepEqual([none.status, none.body], [200, null]);
  assert.deepEqual(await titles(), []);
  const first = await publish({ title: '  Dash is back ', content: 'Paid again.' });
  assert.equal(first.status, 201);
  assert.deepEqual(operatorAnnouncement.strict().parse(first.body), first.body);
  const { body } = await publish({ ...pause, ...korean });
  const newest = await latest();
  assert.deepEqual(announcement.strict().parse(newest), newest);
  assert.deepEqual(newest, { id: body.id, ...pause, createdAt: body.createdAt });
  assert.deepEqual(await titles(), ['A short pause', 'Dash is back']);
  assert.deepEqual(
    await titles('?lang=ko'),
    ['잠시 멈춥니다', 'Dash is back'],
    'English where Korean is missing',
  );
  assert.equal((await latest('?lang=ko')).content, korean.contentKo);
  refused(await site.call('GET', '/api/announcements?lang=fr'), 400, 'invalid-request');
});

test('§2-5 announcement: refuses a blank or too long text, and everybody but operators', async () => {
  await empty();
  const member = await site.member();
  const bad: [string, object][] = [
    ['title', { ...pause, title: ' \n ' }],
    ['title', { content: 'x' }],
    ['title', { ...pause, title: 'x'.repeat(201) }],
    ['content', { ...pause, content: '' }],
    ['content', { ...pause, content: 'x'.repeat(5_001) }],
    ['content', { ...pause, content: 'a\u0000b' }],
    ['titleKo', { ...pause, titleKo: '가'.repeat(201) }],
    ['contentKo', { ...pause, contentKo: '가'.repeat(5_001) }],
    ['publishAt', { ...pause, publishAt: 'tomorrow' }],
    ['publishAt', { ...pause, publishAt: await businessTime(-1_000) }],
    ['termsChange.effectiveOn', { ...pause, termsChange: { effectiveOn: '2999-02-30' } }],
  ];
  for (const [field, body] of bad) refused(await publish(body), 400, 'invalid-request', field);
  refused(await publish({ ...pause, id: '1' }), 400, 'invalid-request');
  refused(await publish(pause, member), 403, 'forbidden');
  const { id } = (await publish(pause)).body;
  refused(await remove(id, member), 403, 'forbidden');
  for (const other of ['999999', '0', 'x']) refused(await remove(other), 404, 'not-found');
  assert.deepEqual(await titles(), ['A short pause']);
  assert.equal((await publish({ title: '가'.repeat(200), content: '나'.repeat(5_000) })).status, 201);
});

test('§1-7 announcements: open pages are told of one published and deleted, each with one act', async () => {
  await empty();
  told.length = 0;
  const { id } = (await publish({ ...pause, titleKo: ' ', contentKo: '' })).body;
  assert.deepEqual(told, [{ type: 'announcement', id }]);
  assert.equal((await remove(id)).status, 204);
  refused(await remove(id), 404, 'not-found');
  assert.deepEqual(told, Array(2).fill({ type: 'announcement', id }));
  assert.equal(await latest(), null);
  const acts = await actsOf(id);
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['announcement.publish', 'announcement.delete'],
  );
  assert.equal(acts[0]?.after?.title, 'A short pause');
  const { publishAt, ...before } = acts[1]?.before ?? {};
  assert.deepEqual(before, { ...pause, titleKo: null, contentKo: null });
  assert.equal(new Date(String(publishAt)).toISOString(), publishAt);
});

test('§2-7 announcements: lists all for operators, with the state of each', async () => {
  await empty();
  await publish({ title: 'First', content: 'x' });
  await publish({ title: 'Second', content: 'x', ...korean });
  const publishAt = await businessTime(DAY_MS);
  await publish({ title: 'Third', content: 'x', publishAt });
  const list = async (query = '') =>
    (await site.call('GET', `${PATH}${query}`, { as })).body.map(
      (row: { title: string; state: string }) => `${row.title}: ${row.state}`,
    );
  assert.deepEqual(await list(), ['Third: scheduled', 'Second: latest', 'First: listed']);
  for (const [index, state] of ['scheduled', 'latest', 'listed'].entries())
    assert.deepEqual(await list(`?state=${state}`), [(await list())[index]]);
  const [row] = (await site.call('GET', `${PATH}?state=latest`, { as })).body;
  const { titleKo, contentKo, effectiveOn, isImportant, adminEmail } = row;
  assert.deepEqual(
    { titleKo, contentKo, effectiveOn, isImportant, adminEmail },
    { ...korean, effectiveOn: null, isImportant: false, adminEmail: as.email },
  );
  refused(await site.call('GET', PATH, { as: await site.member() }), 403, 'forbidden');
});

test('refuses changed terms that would be in force too soon, or in over a year, for who reads them then', async () => {
  await empty();
  const asked = async (days: number, isImportant: boolean, laterDays = 0) =>
    publish({
      ...pause,
      publishAt: laterDays === 0 ? null : await businessTime(laterDays * DAY_MS),
      termsChange: { effectiveOn: await siteDay(days), isImportant },
    });
  const field = 'termsChange.effectiveOn';
  refused(await asked(6, false), 400, 'invalid-request', field);
  refused(await asked(29, true), 400, 'invalid-request', field);
  refused(await asked(9, false, 3), 400, 'invalid-request', field);
  refused(await asked(367, false), 400, 'invalid-request', field);
  const days = [await asked(7, false), await asked(30, true), await asked(10, false, 3)];
  assert.deepEqual(
    days.map(({ status }) => status),
    [201, 201, 201],
  );
  assert.deepEqual([days[1]?.body.effectiveOn, days[1]?.body.isImportant], [await siteDay(30), true]);
});

test('keeps the newest one’s id for documents', async () => {
  await empty();
  const { platform } = site;
  const { latestId: read, close } = await keepLatestId(platform);
  after(close);
  assert.equal(read(), null);
  const heard = async (id: string | null) => {
    for (let left = 100; read() !== id && left > 0; left -= 1)
      await new Promise((done) => setTimeout(done, 20));
    assert.equal(read(), id);
  };
  const { id } = (await publish(pause)).body;
  await heard(id);
  await remove(id);
  await heard(null);
});

test('becomes public at its time, in the order of publication, and is told once', async () => {
  await empty();
  told.length = 0;
  const scheduled = (await publish({ ...pause, ...korean, publishAt: await businessTime(DAY_MS) })).body;
  assert.equal(scheduled.state, 'scheduled');
  const now = (await publish({ title: 'Dash is back', content: 'Paid again.' })).body;
  assert.deepEqual(await titles(), ['Dash is back']);
  await announceDue(site.platform);
  assert.deepEqual(told, [{ type: 'announcement', id: now.id }]);
  await advanceClock(site.owner, 86_401n);
  assert.deepEqual(await titles(), ['A short pause', 'Dash is back'], 'without a sweep');
  assert.equal((await latest()).createdAt, scheduled.createdAt);
  await Promise.all(Array.from({ length: 4 }, () => announceDue(site.platform)));
  await announceDue(site.platform);
  assert.deepEqual(told.slice(1), [{ type: 'announcement', id: scheduled.id }]);
  const later = (await publish({ ...pause, publishAt: await businessTime(DAY_MS) })).body;
  await remove(later.id);
  assert.equal(told.length, 2, 'nobody saw it');
});
