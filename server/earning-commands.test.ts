import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { runAdmin } from '../test/admin-command.ts';
import { newTransaction } from '../test/postback-site.ts';
import { type Person, testSite } from '../test/site.ts';
import { siteChecks } from './books.ts';
import { runChecks } from './ledger/ledger.ts';

/** Decisions about providers' credits on the command line, run as operators do when the web is not there. */
const site = await testSite({ after });
const [founder, kim, lee] = [
  await site.member({ role: 'admin' }),
  await site.member({ role: 'admin' }),
  await site.member({ role: 'admin' }),
];
const secret = 'cpx secret of a test';
const settings = { isEnabled: true, apiKey: 'app', secret, settings: { sourceAddresses: [] } };
await site.call('PUT', '/api/admin/providers/cpx', { as: founder, body: settings });

const admin = (...words: string[]) =>
  runAdmin(
    { DATA_DIR: site.config.dataDir, DATABASE_URL: site.urls.appUrl, DATABASE_OWNER_URL: site.urls.ownerUrl },
    ...words,
  );
const setSum = (secondPersonFrom: string | null) =>
  changeSettings(site.database, 'sandbox', { caps: { secondPersonFrom } });

/** Sends a credit. Returns its transaction. */
async function send(memberRef: string | number, points: number): Promise<string> {
  const transaction = newTransaction();
  const hash = createHash('md5').update(`${transaction}-${secret}`).digest('hex');
  const about = `trans_id=${transaction}&user_id=${encodeURIComponent(memberRef)}&amount_local=${points}`;
  const answer = await site.call('GET', `/api/webhooks/postback/cpx?status=1&${about}&secure_hash=${hash}`);
  assert.deepEqual([answer.status, answer.body], [200, '1']);
  return transaction;
}
async function held(points: number): Promise<{ id: string; member: Person; transaction: string }> {
  const member = await site.member();
  const transaction = await send(member.id, points);
  const { body } = await site.call('GET', `/api/admin/pending-earnings?q=${member.id}`, { as: founder });
  return { id: body[0].id, member, transaction };
}
async function quarantined(points: number): Promise<string> {
  const transaction = await send('nobody', points);
  const { body } = await site.call('GET', `/api/admin/quarantine?q=${transaction}`, { as: founder });
  return body[0].id;
}
const balanceOf = async ({ id }: Person) =>
  (await site.owner.one<{ balance: bigint }>(sql`select balance from ledger.wallets where member_id = ${id}`))
    .balance;
const actsOn = (kind: 'earning' | 'quarantine', target: string) =>
  site.owner.rows(sql`
    select actor, operator_id as "operatorId", act, member_id as "memberId", reason from platform.acts
    where target = ${target} and target_kind = ${kind} order by id`);
const byCommand = (act: string, { id: memberId }: Pick<Person, 'id'>, reason: string | null) => ({
  actor: 'command-line',
  operatorId: null,
  act,
  memberId,
  reason,
});
const assertMisuses = async (name: string, misuses: readonly [string[], string][]) =>
  assert.deepEqual(
    await Promise.all(misuses.map(([words]) => admin(name, ...words))),
    misuses.map(([, complained]) => ({ code: 2, said: '', complained: `${complained}\n` })),
  );
const NEEDS_TWO = 'It needs two people. An operator must approve it first.';
const approveAs = (as: Person, id: string) =>
  site.call('POST', `/api/admin/pending-earnings/${id}/approve`, { as });

describe('a credit that needs two people', () => {
  it('is credited by the command line only after an operator’s approval', async () => {
    await setSum('50000');
    const { id, member } = await held(60_000);
    const sum = `${id}: 60000 points, CPX Research, ${member.id} ${member.email}\n`;
    const alone = await admin('held', 'approve', id);
    assert.deepEqual(alone, { code: 1, said: sum, complained: `${id}: ${NEEDS_TWO}\n` });
    assert.deepEqual([await balanceOf(member), await actsOn('earning', id)], [0n, []]);
    assert.equal((await approveAs(kim, id)).problem.isRecorded, true);
    assert.match((await admin('held', 'list')).said, new RegExp(`\\[amount, first approval by ${kim.id}\\]`));
    const second = await admin('held', 'approve', id);
    assert.deepEqual(
      [second.code, second.said],
      [0, `${sum}${id}: approved. The member now has 60000 points.\n`],
    );
    assert.equal(await balanceOf(member), 60_000n);
    assert.deepEqual((await actsOn('earning', id)).at(-1), byCommand('earning.approve', member, null));
  });

  it('is one that brings the command line’s credits of the day to the sum, of both kinds', async () => {
    await setSum('30000');
    const [one, other] = [await held(12_000), await held(12_000)];
    const member = await site.member();
    const small = await quarantined(7_000);
    const book = (id: string) => admin('quarantine', 'book', id, 'Seen', '--member', String(member.id));
    assert.equal((await admin('held', 'approve', one.id)).code, 0);
    assert.equal((await book(small)).code, 0);
    assert.equal(
      (await admin('held', 'approve', other.id)).complained,
      `${other.id}: ${NEEDS_TWO}\n`,
      '31,000',
    );
    const more = await quarantined(9_999);
    assert.equal((await book(more)).code, 0, '28,999');
    const last = await quarantined(2_000);
    assert.equal((await book(last)).complained, `${last}: ${NEEDS_TWO}\n`, '30,999');
    assert.equal((await approveAs(lee, other.id)).status, 200, 'what others credited does not count');
    assert.equal(await balanceOf(member), 16_999n);
    await setSum(null);
    assert.equal((await book(last)).code, 0, 'without a sum one person may do everything');
  });

  it('is credited once by two commands at the same moment, and both don’t pass the sum together', async () => {
    const { points } = await site.owner.one<{ points: bigint }>(
      sql`select earning.credited_alone_today(null) as points`,
    );
    await setSum(String(points + 30_000n));
    const [one, other] = [await held(20_000), await held(20_000)];
    const ended = await Promise.all([
      admin('held', 'approve', one.id),
      admin('held', 'approve', one.id),
      admin('held', 'approve', other.id),
    ]);
    assert.deepEqual(ended.map(({ code }) => code).sort(), [0, 1, 1]);
    const balances = [await balanceOf(one.member), await balanceOf(other.member)];
    assert.deepEqual(balances.sort(), [0n, 20_000n]);
    await setSum(null);
  });
});

describe('admin held', () => {
  it('lists what waits and decides it once, with one act each', async () => {
    const [one, other] = [await held(10_000), await held(11_000)];
    const [first = '', ...lines] = (await admin('held', 'list', '--after', String(Number(one.id) - 1))).said
      .trimEnd()
      .split('\n');
    assert.equal(
      first.replace(/ \S+Z /, ' '),
      `${one.id}: 10000 points, CPX Research, ${one.member.id} ${one.member.email}, ${one.transaction} [amount]. ` +
        'CPX Research: Completed',
    );
    assert.equal(lines.length, 1);
    const rejected = await admin('held', 'reject', other.id, 'Made', 'by a robot');
    assert.deepEqual(rejected, {
      code: 0,
      said:
        `${other.id}: 11000 points, CPX Research, ${other.member.id} ${other.member.email}\n` +
        `${other.id}: rejected. Its points are not credited.\n`,
      complained: '',
    });
    const several = await admin('held', 'approve', one.id, other.id, '999999');
    assert.equal(several.code, 1);
    assert.match(
      several.said,
      new RegExp(`^${one.id}: approved\\. The member now has 10000 points\\.$`, 'm'),
    );
    assert.equal(
      several.complained,
      `${other.id}: This earning was rejected already.\n999999: There is nothing with this id.\n`,
    );
    assert.deepEqual([await balanceOf(one.member), await balanceOf(other.member)], [10_000n, 0n]);
    assert.deepEqual(await actsOn('earning', one.id), [byCommand('earning.approve', one.member, null)]);
    assert.deepEqual(await actsOn('earning', other.id), [
      byCommand('earning.reject', other.member, 'Made by a robot'),
    ]);
    const { body } = await site.call('GET', '/api/notices', { as: other.member });
    assert.match(JSON.stringify(body), /Made by a robot/);
  });

  it('prints the words of a stranger as one line without control characters', async () => {
    const { id: memberId } = await site.member();
    const offer = 'Game\u001b[2K\n1: approved';
    await site.owner.rows(sql`
      select earning.book_credit('cpx', 'strange', ${String(memberId)}, 10000, 1000, ${offer}, false, null, 'GET /',
        '127.0.0.1')`);
    const lines = (await admin('held', 'list')).said.split('\n').filter((line) => line.includes('strange'));
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /Game\\u001b\[2K\\u000a1: approved/);
  });

  it('lists a hundred at a time', async () => {
    const { id: memberId } = await site.member();
    await site.owner.rows(sql`
      select earning.book_credit('cpx', 'page-' || n, ${String(memberId)}, 10000, 1000, 'Survey', false, null, 'GET /',
        '127.0.0.1') from generate_series(1, 101) n`);
    const page = (await admin('held', 'list')).said.trimEnd().split('\n');
    assert.equal(page.length, 101);
    const [, last] = /^There are more: held list --after (\d+)$/.exec(page.at(-1) ?? '') ?? [];
    assert.equal(page.at(-2)?.split(':')[0], last);
    const rest = (await admin('held', 'list', '--after', last ?? '')).said.trimEnd().split('\n');
    assert.ok(rest.length > 0 && !rest.some((line) => line.startsWith('There are more')));
    const waiting = await site.owner.rows<{ id: bigint }>(
      sql`select held_id as id from earning.earnings where state = 'held' order by held_id`,
    );
    assert.deepEqual(
      [...page.slice(0, -1), ...rest].map((line) => line.split(':')[0]),
      waiting.map(({ id }) => String(id)),
    );
    assert.equal((await admin('held', 'list', '--after', '999999')).said, 'There is nothing after 999999.\n');
  });

  it('refuses words that it does not know, and tries nothing', async () => {
    const misuses: [string[], string][] = [
      [[], 'held takes one of: list, approve, reject.'],
      [['list', 'all'], 'held list does not take the word "all".'],
      [['list', '--after', 'x'], '--after is the number of a row, as `held list` prints it.'],
      [['approve', '7', '--after', '7'], '--after is said with `held list`.'],
      [['approve'], 'NUMBER is that of a row of the list: held approve NUMBER…'],
      [['reject', '7'], 'REASON is needed, up to 500 characters: held reject NUMBER REASON'],
      [['reject', '7', 'REASON'], 'REASON is needed, up to 500 characters: held reject NUMBER REASON'],
    ];
    await assertMisuses('held', misuses);
  });
});

describe('admin quarantine', () => {
  it('lists calls, books one for a member and dismisses another, with one act each', async () => {
    const member = await site.member();
    const [one, other] = [await quarantined(900), await quarantined(800)];
    const { said } = await admin('quarantine', 'list', '--after', String(Number(one) - 1));
    const lines = said.trimEnd().split('\n');
    assert.equal(lines.length, 2, said);
    assert.match(
      lines[0] ?? '',
      new RegExp(`^${one}: \\S+Z credit of 900 points, cpx, for nobody, \\d+\\. unknown member$`),
    );
    const unknown = await admin('quarantine', 'book', one, 'Seen', '--member', 'nobody@example.com');
    assert.deepEqual([unknown.code, unknown.complained], [1, 'There is no member nobody@example.com.\n']);
    const unnamed = await admin('quarantine', 'book', other, 'Seen');
    assert.deepEqual([unnamed.code, unnamed.complained], [1, `${other}: There is no such member.\n`]);
    const booked = await admin('quarantine', 'book', one, 'A wrong', 'id', '--member', member.email);
    assert.equal(booked.code, 0, booked.complained);
    assert.match(
      booked.said,
      new RegExp(`\\n${one}: booked for ${member.id}\\. The member now has 900 points\\.\\n$`),
    );
    const dismissed = await admin('quarantine', 'dismiss', other, 'A test call');
    assert.deepEqual(
      [dismissed.code, dismissed.said.split('\n')[1]],
      [0, `${other}: dismissed. No points moved.`],
    );
    const again = await admin('quarantine', 'book', one, 'Twice', '--member', member.email);
    assert.deepEqual([again.code, again.complained], [1, `${one}: This call was booked already.\n`]);
    assert.deepEqual(await actsOn('quarantine', one), [
      byCommand('quarantine.resolve', member, 'A wrong id'),
    ]);
    assert.equal((await actsOn('quarantine', other)).length, 1);
    assert.equal(await balanceOf(member), 900n);
  });

  it('says of a large credit that it is held, and refuses other words', async () => {
    const member = await site.member();
    const large = await quarantined(20_000);
    const booked = await admin('quarantine', 'book', large, 'Seen', '--member', String(member.id));
    assert.match(booked.said, /: booked, and held for an approval\. `held list` shows it\.\n$/);
    assert.equal(await balanceOf(member), 0n);
    const misuses: [string[], string][] = [
      [['approve', '7'], 'quarantine takes one of: list, book, dismiss.'],
      [['book', '7'], 'REASON is needed, up to 500 characters: quarantine book NUMBER REASON'],
      [['dismiss', 'x', 'Why'], 'NUMBER is that of a row of the list: quarantine dismiss NUMBER REASON'],
      [['dismiss', '7', 'Why', '--member', '7'], '--member is said with `quarantine book`.'],
    ];
    for (const [words, complained] of misuses)
      assert.deepEqual(await admin('quarantine', ...words), {
        code: 2,
        said: '',
        complained: `${complained}\n`,
      });
  });
});

describe('the books after credits by the command line', () => {
  it('balance', async () => {
    assert.deepEqual(await runChecks(site.owner, siteChecks), []);
  });
});
