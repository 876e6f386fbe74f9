import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { CatalogueEntry } from '#contract/earning-catalogue-entries.ts';
import { sql } from '#platform/database.ts';
import { testSite } from '../../test/site.ts';

/** The export and the import of the catalogue, over HTTP. */
const site = await testSite({ after });
const as = await site.member({ role: 'admin' });
const path = '/api/admin/catalogue';
const given = {
  kind: 'task',
  category: 'game',
  provider: 'kiwiwall',
  title: 'Harbour, "old"',
  description: '+50 bonus;\nthen = more',
  reward: '2400',
  minutes: 180,
  url: 'https://partner.example/?a=-1',
  expiresAt: '2999-01-01T00:00:00Z',
};
const add = async (fields: object = {}): Promise<CatalogueEntry> =>
  (await site.call('POST', path, { as, body: { ...given, ...fields } })).body;
const exported = async (): Promise<string> => (await site.call('GET', `${path}?format=csv`, { as })).body;
const send = (csv: string, query = '') => site.call('POST', `${path}/import${query}`, { as, body: { csv } });
const listed = async (): Promise<CatalogueEntry[]> =>
  (await site.call('GET', `${path}?limit=100`, { as })).body;
const countOfActs = async () =>
  (
    await site.owner.one<{ count: bigint }>(
      sql`select count(*) from platform.acts where act = 'catalogue.import'`,
    )
  ).count;

const header = 'kind,category,provider,title,description,reward,minutes';
const line = (title: string, rest = 'Reach it,100,5') => `task,game,kiwiwall,${title},${rest}`;

describe('an import of the catalogue', () => {
  it('takes its own export back without a change', async () => {
    const entry = await add({ titleKo: '항구' });
    await add({
      title: "Earn '+50 points' today",
      description: "'tis rated '-1' before",
      url: "https://a.example/?q='-1",
      reward: undefined,
      steps: [{ title: "- One '-1", points: '100', days: 3 }],
      isEnabled: false,
    });
    const before = await listed();
    const { status, body } = await send(await exported());
    assert.deepEqual([status, body], [200, { rows: 2, added: 0, changed: 2, errors: [] }]);
    assert.deepEqual(await listed(), before);
    assert.equal(await countOfActs(), 1n);
    await site.call('DELETE', `${path}/${entry.id}`, { as });
  });

  it('adds the rows in their order above the others, and takes a body of CSV too', async () => {
    const csv = [header, line('first'), line('second')].join('\n');
    const answer = await site.call('POST', `${path}/import`, {
      as,
      body: csv,
      headers: { 'content-type': 'text/csv' },
    });
    assert.deepEqual([answer.status, answer.body.added], [200, 2]);
    assert.deepEqual((await listed()).map(({ title }) => title).slice(0, 2), ['first', 'second']);
  });

  it('takes a file with semicolons, as Excel saves it', async () => {
    const csv = `\ufeffsep=;\r\n${[header, line('"semi; colon"')].join('\r\n').replaceAll(',', ';')}`;
    assert.deepEqual((await send(csv, '?dryRun=true')).body, { rows: 1, added: 1, changed: 0, errors: [] });
    const broken = `${csv}\r\n${line('short').replaceAll(',', ';')};7`;
    assert.deepEqual((await send(broken, '?dryRun=true')).body.errors, [
      { line: 4, message: '8 cells instead of 7' },
    ]);
  });

  it('refuses a file in another encoding or charset by name, and changes nothing', async () => {
    const before = await listed();
    const sendBytes = async (bytes: Uint8Array<ArrayBuffer>, type: string) => {
      const headers = { 'content-type': type, origin: site.origin, cookie: as.cookie };
      const sent = { method: 'POST', body: bytes, headers };
      const answer = await fetch(`${site.address}${path}/import`, sent);
      const { code, detail } = (await answer.json()) as { code: string; detail: string };
      return [answer.status, code, detail];
    };
    const utf8 = Buffer.from([header, line('한글')].join('\n'));
    // The title in EUC-KR.
    const korean = Buffer.from(
      utf8.toString('latin1').replace('\xed\x95\x9c\xea\xb8\x80', '\xc7\xd1\xb1\xdb'),
      'latin1',
    );
    const refused = [415, 'not-utf8', 'The request must be in UTF-8.'];
    assert.deepEqual(await sendBytes(korean, 'text/csv'), refused);
    assert.deepEqual(await sendBytes(korean, 'text/csv; charset=utf-8'), refused);
    const json = (text: Buffer) => Buffer.concat([Buffer.from('{"csv":"'), text, Buffer.from('"}')]);
    assert.deepEqual(await sendBytes(json(korean.subarray(-40)), 'application/json'), refused);
    const named = [415, 'not-utf8', 'The request must be in UTF-8, not EUC-KR.'];
    for (const type of ['text/csv; charset=EUC-KR', 'application/json;charset="EUC-KR"'])
      assert.deepEqual(await sendBytes(utf8, type), named, type);
    assert.deepEqual(await listed(), before);
  });

  it('names the fault of each line, in a dry run without any effect and else for nothing at all', async () => {
    const before = [await listed(), await countOfActs()];
    const csv = [
      header,
      line('fits'),
      line('no points', 'Reach it,x,5'),
      line('no minutes', 'Reach it,100,soon'),
      line('too short', 'Reach it,100'),
      'survey,game,kiwiwall,wrong category,text,100,5',
      'task,game,nobody,no provider,text,100,5',
      'task,game,kiwiwall,"not closed,text,100,5',
    ].join('\n');
    const tried = await send(csv, '?dryRun=true');
    assert.equal(tried.status, 200);
    assert.equal(tried.body.rows, 7);
    const errors: { line: number; message: string }[] = tried.body.errors;
    assert.deepEqual(
      errors.map((one) => [one.line, one.message.split(':')[0]]),
      [
        [3, 'reward'],
        [4, 'minutes'],
        [5, '6 cells instead of 7'],
        [6, 'category'],
        [7, 'provider'],
        [8, 'A quotation mark is not closed'],
      ],
    );
    const refused = await send(csv);
    assert.equal(refused.status, 400);
    assert.deepEqual(refused.problem.errors?.[0], { path: 'line 3', message: errors[0]?.message });
    assert.equal((await send([header, line('fits')].join('\n'), '?dryRun=true')).body.added, 1);
    assert.deepEqual([await listed(), await countOfActs()], before);
  });

  it('refuses columns and ids that are not there', async () => {
    const faultOf = async (csv: string) => (await send(csv, '?dryRun=true')).body.errors[0]?.message;
    assert.match(await faultOf('kind,category\n'), /The column provider is missing/);
    assert.match(await faultOf(`${header},reward\n`), /twice/);
    assert.match(await faultOf(`${header},price\n`), /no column "price"/);
    assert.match(await faultOf('\n'), /columns are missing/);
    assert.match(await faultOf(`id,${header}\n999999,${line('x')}`), /There is no entry 999999/);
    const [{ id }] = (await listed()) as [CatalogueEntry];
    const twice = (await send(`id,${header}\n${id},${line('x')}\n${id},${line('y')}`, '?dryRun=true')).body;
    assert.match(twice.errors[0].message, /twice/);
  });

  it('keeps in the trail what each entry was that it overwrites, also its former address', async () => {
    const description = 'Reach the harbour';
    const steps = [{ title: 'Level', points: '7' }];
    const [one, same] = [await add({ description, steps, reward: undefined }), await add({ description })];
    const csv = await exported();
    const [names = '', ...lines] = csv.trimEnd().split('\r\n');
    const ofEntry = ({ id }: CatalogueEntry) => lines.find((text) => text.split(',').includes(id)) ?? '';
    const bribed = ofEntry(one).replace('https://partner.example/?a=', 'https://bribed.example/?a=');
    assert.notEqual(bribed, ofEntry(one));
    const { body } = await send([names, bribed.replace('180', '181'), ofEntry(same)].join('\n'));
    assert.deepEqual(body, { rows: 2, added: 0, changed: 2, errors: [] });
    const acts = await site.owner.rows(sql`
      select act, target, operator_id as "operatorId", before, after from platform.acts order by id desc limit 2`);
    assert.deepEqual(acts.reverse(), [
      {
        act: 'catalogue.import',
        target: 'catalogue',
        operatorId: as.id,
        before: null,
        after: { added: 0, changed: 2 },
      },
      {
        act: 'catalogue.change',
        target: one.id,
        operatorId: as.id,
        before: { url: given.url, minutes: 180 },
        after: { url: 'https://bribed.example/?a=-1', minutes: 181 },
      },
    ]);
    await site.call('DELETE', `${path}/${one.id}`, { as });
    await site.call('DELETE', `${path}/${same.id}`, { as });
  });

  it('takes 10,000 rows within 10 s and 150 MB, while other calls are answered, and no more', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => line(`Entry ${index}`));
    const csv = [header, ...rows].join('\n');
    const sizes = [process.memoryUsage().heapUsed];
    const waits: number[] = [];
    let isDone = false;
    const watch = (async () => {
      while (!isDone) {
        const askedAt = performance.now();
        await site.call('GET', '/healthz');
        waits.push(performance.now() - askedAt);
        sizes.push(process.memoryUsage().heapUsed);
      }
    })();
    const beganAt = performance.now();
    const { status, body } = await send(csv);
    const tookMs = performance.now() - beganAt;
    isDone = true;
    await watch;
    assert.deepEqual([status, body], [200, { rows: 10_000, added: 10_000, changed: 0, errors: [] }]);
    assert.ok(tookMs < 10_000, `${tookMs} ms`);
    assert.ok(Math.max(...waits) < 2_000, `another call waited ${Math.max(...waits)} ms`);
    assert.ok(
      Math.max(...sizes) - (sizes[0] ?? 0) < 150_000_000,
      `${Math.max(...sizes) - (sizes[0] ?? 0)} bytes`,
    );
    const more = await send(`${csv}\n${line('one more')}`, '?dryRun=true');
    assert.deepEqual(more.body.errors, [{ line: 10_002, message: 'At most 10000 rows' }]);
    assert.equal((await exported()).trimEnd().split('\r\n').length > 10_000, true);
  });
});
