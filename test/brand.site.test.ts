import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, beforeEach, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { type Person, testSite } from './site.ts';

/** What an operator sets of the brand and of the bonus: who takes it, what is refused, and what is kept. */
const site = await testSite({ after });
const [kim, lee] = [await site.member({ role: 'admin' }), await site.member({ role: 'admin' })];
const icon = (name: string) => readFileSync(new URL(`../web/public/icons/${name}`, import.meta.url));
const logo = icon('icon-192.png');
const logoName = `${createHash('sha256').update(logo).digest('hex').slice(0, 32)}-192.png`;

const change = (body: object, as: Person = kim) => site.call('PUT', '/api/admin/site', { as, body });
const readConfig = async () => (await site.call('GET', '/api/config')).body;
const acts = () =>
  site.owner.rows<{ act: string; before: unknown; after: unknown }>(sql`
    select act, before, after from platform.acts where act like 'site.%' order by id`);

beforeEach(async () => {
  await site.owner.rows(sql`delete from platform.settings`);
  await site.owner.rows(sql`delete from platform.settings_proposals`);
  site.platform.settings.forget();
});

describe('the brand', () => {
  it('is the site’s own until an operator sets it', async () => {
    const { name, supportEmail, logoUrl, colors } = (await readConfig()).brand;
    assert.deepEqual([name, logoUrl, colors], ['Earnest', null, { light: null, dark: null }]);
    assert.match(supportEmail, /^support@/);
  });

  it('is taken at once, with one act that names what it was, and told to open pages', async () => {
    let told = 0;
    site.platform.bus.onSiteChange(() => {
      told += 1;
    });
    const before = (await acts()).length;
    const brand = { name: 'Farthing', supportEmail: 'help@farthing.example', lightColor: '#5b2a86' };
    assert.equal((await change({ brand })).status, 200);
    const config = await readConfig();
    assert.deepEqual([config.brand.name, config.brand.supportEmail], [brand.name, brand.supportEmail]);
    assert.equal(config.brand.colors.light.green, '#5B2A86');
    assert.match(config.brand.colors.dark.green, /^#[0-9A-F]{6}$/);
    const own = { name: 'Earnest', supportEmail: null, logo: null, lightColor: null, darkColor: null };
    assert.deepEqual((await acts()).slice(before), [
      {
        act: 'site.change',
        before: { brand: own },
        after: { brand: { ...own, ...brand, lightColor: '#5B2A86' } },
      },
    ]);
    assert.equal(told, 1);
    await change({ brand });
    await change({ postbackDays: 100 });
    assert.equal(told, 1, 'what members don’t see is told to nobody');
  });

  it('is refused with a sentence at its field', async () => {
    for (const [brand, path, message] of [
      [{ name: '' }, 'brand.name', 'Required'],
      [{ name: 'x'.repeat(41) }, 'brand.name', 'At most 40 characters'],
      [{ name: 'Far\nthing' }, 'brand.name', 'Must be one line of visible characters'],
      [{ supportEmail: 'https://help.example' }, 'brand.supportEmail', 'Must be an e-mail address'],
      [{ lightColor: 'red' }, 'brand.lightColor', 'Must be a colour such as #0F4D37'],
      [
        { lightColor: '#E07A2F' },
        'brand.lightColor',
        'Text on the button has a contrast of 2.95 in the light scheme and needs 4.5',
      ],
      [{ logo: 'no file!' }, 'brand.logo', 'Must be a file in base64'],
      [
        { logo: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') },
        'brand.logo',
        'Must be a PNG, JPEG or WebP image that does not move',
      ],
      [
        { logo: icon('share.png').toString('base64') },
        'brand.logo',
        'Must be square with a side of 192 to 1024 pixels, and is 1200 × 630',
      ],
      [{ logo: Buffer.alloc(131_073).toString('base64') }, 'brand.logo', 'The file may have at most 128 KiB'],
    ] as const) {
      const { status, body } = await change({ brand });
      assert.deepEqual([status, body.errors?.[0]], [400, { path, message }], JSON.stringify(body));
    }
    assert.equal((await readConfig()).brand.name, 'Earnest');
  });
});

describe('a logo', () => {
  it('is stored once by its hash and served as the image that it is, and as nothing that runs', async () => {
    const sent = { brand: { logo: logo.toString('base64') } };
    const { body } = await change(sent);
    assert.equal(body.brand.logo, logoName);
    assert.equal((await change(sent)).body.brand.logo, logoName);
    assert.equal((await readConfig()).brand.logoUrl, `/brand/${logoName}`);
    const answer = await fetch(`${site.address}/brand/${logoName}`);
    assert.equal(answer.status, 200);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), logo);
    const headers = ['content-type', 'cache-control', 'x-content-type-options', 'content-security-policy'];
    assert.deepEqual(
      headers.map((name) => answer.headers.get(name)),
      [
        'image/png',
        'public, max-age=31536000, immutable',
        'nosniff',
        "default-src 'none'; frame-ancestors 'none'; sandbox",
      ],
    );
    const { count } = await site.owner.one<{ count: bigint }>(sql`select count(*) from platform.logos`);
    assert.equal(count, 1n);
    await change({ brand: { logo: null } });
    assert.equal((await readConfig()).brand.logoUrl, null);
    assert.equal((await fetch(`${site.address}/brand/${logoName}`)).status, 200, 'open pages still name it');
  });

  it('is not found under another name', async () => {
    for (const name of [`${'0'.repeat(32)}-192.png`, 'x', '..%2F..%2Fpackage.json', `${logoName}.svg`])
      assert.equal((await fetch(`${site.address}/brand/${name}`)).status, 404, name);
  });

  it('keeps the newest twenty and the one that is shown', async () => {
    await change({ brand: { logo: logo.toString('base64') } });
    await site.owner.rows(sql`
      insert into platform.logos (name, bytes, added_at)
      select 'older-' || n, '\\x00', now() - n * interval '1 hour' from generate_series(1, 30) n`);
    await site.owner.rows(sql`update platform.logos set added_at = '2000-01-01' where name = ${logoName}`);
    await change({ brand: { logo: icon('icon-512.png').toString('base64') } });
    const names = await site.owner.rows<{ name: string }>(sql`select name from platform.logos`);
    assert.equal(names.length, 22);
    assert.ok(names.some(({ name }) => name === logoName));
  });
});

describe('the schedule of the bonus', () => {
  const [usual, more] = [
    ['5', '10', '15', '20', '25', '30', '50'],
    ['5', '10', '15', '20', '25', '30', '60'],
  ];

  it('holds from the next claim, also of a running streak, and changes no claim of before', async () => {
    const member = await site.member();
    const claim = async () => (await site.call('POST', '/api/daily-bonus/claim', { as: member })).body.points;
    assert.equal(await claim(), '5');
    const bonusSchedule = ['7', '70', '15', '20', '25', '30', '50', '80'];
    assert.equal((await change({ bonusSchedule, caps: { secondPersonFrom: null } })).status, 200);
    const read = (await site.call('GET', '/api/daily-bonus', { as: member })).body;
    assert.deepEqual([read.amount, read.schedule], ['5', bonusSchedule]);
    await site.owner.rows(sql`
      update bonus.streaks set last_day = last_day - 1, claimed_at = claimed_at - interval '1 day'
      where member_id = ${member.id}`);
    const next = (await site.call('GET', '/api/daily-bonus', { as: member })).body;
    assert.deepEqual([next.amount, next.consecutiveDays], ['70', 1]);
  });

  it('waits for another operator if it pays more on any day, and holds at once if it pays less', async () => {
    assert.equal((await change({ caps: { secondPersonFrom: '1000' } })).status, 200);
    const asked = (await change({ bonusSchedule: more, processingTime: '2–4 business days' })).body;
    assert.deepEqual([asked.bonusSchedule, asked.processingTime], [usual, '2–4 business days']);
    const [{ id, setting, from, to }] = asked.proposals;
    assert.deepEqual([setting, from, to], ['bonusSchedule', usual, more]);
    const confirmed = await site.call('POST', `/api/admin/site/proposals/${id}/confirm`, { as: lee });
    assert.deepEqual([confirmed.body.bonusSchedule, confirmed.body.proposals], [more, []]);
    const longer = [...more, '50'];
    const less = (await change({ bonusSchedule: longer })).body;
    assert.deepEqual(
      [less.bonusSchedule, less.proposals],
      [longer, []],
      'the eighth day pays less than before',
    );
    const back = (await change({ bonusSchedule: more })).body;
    assert.equal(back.proposals.length, 1, 'without the eighth day the seventh is for all later days');
  });
});
