import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { runAdmin } from './admin-command.ts';
import { testSite } from './site.ts';

/** Suspensions and exports on the command line, beside a running site. */
const site = await testSite({ after });
const dataDir = mkdtempSync(join(tmpdir(), 'earnest-admin-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));
const { appUrl: DATABASE_URL, ownerUrl: DATABASE_OWNER_URL } = site.urls;
const admin = (...words: string[]) =>
  runAdmin({ DATA_DIR: dataDir, DATABASE_URL, DATABASE_OWNER_URL }, ...words);

describe('admin bounce --forget', () => {
  it('forgets the bounces of a member’s address once, with its act', async () => {
    const member = await site.member();
    await site.owner.rows(sql`
      insert into broadcasts.addresses values (${member.email}, 2, platform.business_now())`);
    assert.equal((await admin('bounce', '--forget', 'nobody@example.com')).code, 1);
    assert.equal((await admin('bounce', '--forget', member.email, 'file')).code, 2);
    assert.deepEqual(await admin('bounce', '--forget', member.email), {
      code: 0,
      said: `${member.email}: 2 bounces forgotten. Broadcasts go to it again.\n`,
      complained: '',
    });
    assert.equal((await admin('bounce', '--forget', member.email)).code, 1);
    assert.deepEqual(await site.owner.rows(sql`select from broadcasts.addresses`), []);
    const acts = await site.owner.rows(sql`
      select actor, act, before, after from platform.acts where member_id = ${member.id}`);
    assert.deepEqual(acts, [
      {
        actor: 'command-line',
        act: 'broadcast.forget-bounces',
        before: { bounces: 2 },
        after: { bounces: 0 },
      },
    ]);
  });
});

describe('admin suspend, suspensions and lift', () => {
  it('suspend a member and lift it, with the member’s notice and one act each', async () => {
    const [member, operator] = [await site.member(), await site.member({ role: 'admin' })];
    const wanted = ['full_suspension', 'A shared', 'device'] as const;
    const done = await admin('suspend', member.email, ...wanted, '--until', '2999-01-31T12:00:00Z');
    const [, id = ''] = /: suspended, number (\d+)\.\n$/.exec(done.said) ?? [];
    assert.deepEqual([done.code, done.complained, id !== ''], [0, '', true]);
    assert.equal((await site.call('GET', '/api/user', { as: member })).status, 401);
    const again = await admin('suspend', String(member.id), ...wanted);
    assert.deepEqual([again.code, again.said], [1, '']);
    assert.match(again.complained, /: A suspension of this type is active\./);
    assert.match((await admin('suspend', operator.email, ...wanted)).complained, /operator’s account/);
    assert.equal(
      (await admin('suspensions')).said,
      `${id}: ${member.id} ${member.email}, full_suspension, warning, until 2999-01-31T12:00:00.000Z. ` +
        'A shared device\n',
    );
    const shown = await site.call('GET', `/api/admin/suspensions?id=${id}`, { as: operator });
    assert.deepEqual([shown.body[0]?.adminEmail, shown.body[0]?.isOwnWord], [null, false]);

    assert.deepEqual(await admin('lift', id, 'It was', 'a family'), {
      code: 0,
      said: `${id}: lifted.\n`,
      complained: '',
    });
    assert.equal((await admin('lift', id, 'Twice')).code, 1);
    assert.equal((await admin('suspensions')).said, 'Nobody is suspended.\n');
    const timeline = await site.call('GET', `/api/admin/users/${member.id}/timeline`, { as: operator });
    const lines = timeline.body.filter(
      ({ kind }: { kind: string }) => kind === 'suspended' || kind === 'lifted',
    );
    assert.deepEqual(
      lines.map(({ kind, facts }: { kind: string; facts: Record<string, string> }) => [kind, facts.actor]),
      [
        ['lifted', 'command-line'],
        ['suspended', 'command-line'],
      ],
    );
    const acts = await site.owner.rows(sql`
      select actor, act, reason from platform.acts where member_id = ${member.id} and act like 'member.%' order by id`);
    assert.deepEqual(acts, [
      { actor: 'command-line', act: 'member.suspend', reason: 'A shared device' },
      { actor: 'command-line', act: 'member.lift-suspension', reason: 'It was a family' },
    ]);
    const notices = await site.owner.rows(sql`
      select facts ->> 'decision' as decision from notices.notices where member_id = ${member.id}
      order by member_number`);
    assert.deepEqual(notices, [{ decision: 'suspended' }, { decision: 'lifted' }]);
  });

  it('refuse words of another form with 2', async () => {
    const misused = await Promise.all([
      admin('suspend', '1', 'everything', 'Why'),
      admin('suspend', '1', 'full_suspension'),
      admin('suspend', '1', 'full_suspension', 'Why', '--until', 'tomorrow'),
      admin('lift', 'x', 'Why'),
    ]);
    assert.deepEqual(
      misused.map(({ code, complained }) => [code, complained]),
      [
        [2, 'TYPE is one of: earnings_blocked, withdrawal_blocked, full_suspension.\n'],
        [2, 'MEMBER and REASON are needed, REASON up to 500 characters.\n'],
        [2, '--until is a time such as 2027-01-31T12:00:00Z.\n'],
        [2, 'NUMBER is that of a suspension, as `suspensions` prints it.\n'],
      ],
    );
  });
});

describe('admin export', () => {
  it('writes each list as the CSV of the back office, and the movements of a member', async () => {
    const operator = await site.member({ role: 'admin' });
    const member = await site.member({ balancePoints: 700n });
    for (const [list, path] of Object.entries({
      'audit-trail': 'audit',
      payouts: 'payouts',
      suspensions: 'suspensions',
      withdrawals: 'withdrawals-data',
    })) {
      const { body } = await site.call('GET', `/api/admin/${path}?format=csv`, { as: operator });
      assert.deepEqual(await admin('export', list), { code: 0, said: `\ufeff${body}`, complained: '' }, list);
    }
    const books = await admin('export', 'books');
    assert.match(books.said, /^\ufeffaccount,balance\r\n/);
    const sum = books.said.trimEnd().split('\r\n').slice(1);
    assert.equal(
      sum.reduce((total, line) => total + BigInt(line.split(',')[1] ?? ''), 0n),
      0n,
    );
    const { said } = await admin('export', 'movements', member.email);
    assert.match(said, /^\ufeffid,.*,balanceAfter\r\n.*,700\r\n$/);
  });

  it('prints no control character of a member’s name', async () => {
    const [operator, member] = [await site.member({ role: 'admin' }), await site.member()];
    await site.owner.rows(sql`
      update members.members set first_name = ${'Kim\u001b[2J\u009b2J'} where id = ${member.id}`);
    const body = { userId: String(member.id), reason: 'For a test' };
    assert.equal((await site.call('POST', '/api/admin/suspend-user', { as: operator, body })).status, 201);
    const { said } = await admin('export', 'suspensions');
    assert.match(said, /Kim\\u001b\[2J\\u009b2J/);
    assert.doesNotMatch(said, /[^\P{Cc}\r\n\t]/u);
  });

  it('names its lists when another one is asked for, and an unknown member', async () => {
    const other = await admin('export', 'secrets');
    assert.deepEqual([other.code, other.said], [2, '']);
    assert.match(
      other.complained,
      /^export takes one of: audit-trail, books, payouts, [^\n]+ movements MEMBER\.\n$/,
    );
    const unknown = await admin('export', 'movements', 'nobody@example.com');
    assert.deepEqual(unknown, { code: 1, said: '', complained: 'There is no member nobody@example.com.\n' });
  });
});
