import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { chainActs } from '#platform/act-chain.ts';
import { sql } from '#platform/database.ts';
import { siteChecks } from '../server/books.ts';
import { runChecks } from '../server/ledger/ledger.ts';
import { runAdmin, runAdminProcess } from './admin-command.ts';
import { testSite } from './site.ts';

/** `npm run admin`, run beside a running site as operators do. */
const site = await testSite({ after });
const dataDir = mkdtempSync(join(tmpdir(), 'earnest-admin-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));

type Urls = { appUrl: string; ownerUrl: string } | undefined;
const environmentOf = (urls: Urls) => ({
  DATA_DIR: dataDir,
  ...(urls && { DATABASE_URL: urls.appUrl, DATABASE_OWNER_URL: urls.ownerUrl }),
});
const adminAt = (urls: Urls, ...words: string[]) => runAdmin(environmentOf(urls), ...words);
const admin = (...words: string[]) => adminAt(site.urls, ...words);
const adminProcess = (urls: Urls, ...words: string[]) => runAdminProcess(environmentOf(urls), ...words);

const balanceOf = async (id: number) =>
  (await site.owner.one<{ balance: bigint }>(sql`select balance from ledger.wallets where member_id = ${id}`))
    .balance;

describe('admin audit', () => {
  it('exits with 0 and says that the books balance', async () => {
    await site.member({ balancePoints: 700n });
    const ended = await adminProcess(site.urls, 'audit');
    assert.deepEqual(ended, { code: 0, said: 'The books balance.\n', complained: '' });
  });
  it('exits with 1 and names each difference that was made past the ledger', async () => {
    const member = await site.member({ balancePoints: 500n });
    await site.owner.rows(
      sql`update ledger.wallets set balance = balance + 77 where member_id = ${member.id}`,
    );
    const { code, said } = await admin('audit');
    await site.owner.rows(
      sql`update ledger.wallets set balance = balance - 77 where member_id = ${member.id}`,
    );
    assert.equal(code, 1, said);
    const lines = said.trimEnd().split('\n');
    assert.equal(lines.pop(), `Differences: ${lines.length}.`);
    const differences = lines.map((line) => JSON.parse(line));
    const [wallet] = differences.filter(({ check }) => check === 'wallets');
    assert.equal(wallet?.subject, String(member.id));
    assert.ok(wallet.expected.includes('500') && wallet.actual.includes('577'), said);
    assert.ok(differences.some(({ check }) => check === 'trial-balance'));
    assert.equal((await admin('audit')).code, 0);
  });
  it('makes the other checks when one fails, names it and exits with 1', async () => {
    await site.owner.rows(sql`alter table bonus.streaks rename to streaks_away`);
    const { code, said } = await admin('audit');
    await site.owner.rows(sql`alter table bonus.streaks_away rename to streaks`);
    assert.equal(code, 1, said);
    assert.match(
      said,
      /^not checked: streaks: The check failed: .*streaks.*\nDifferences: 0\. Checks: 1 not made\.\n$/,
    );
  });
});

describe('admin grant and revoke', () => {
  it('move points by id or e-mail address, with the reason in the member’s history', async () => {
    const member = await site.member();
    const granted = await admin('grant', member.email.toUpperCase(), '1500', 'A', 'late', 'credit');
    assert.deepEqual(granted, { code: 0, said: `${member.email} now has 1500 points.\n`, complained: '' });
    const revoked = await admin('revoke', String(member.id), '2000', 'Booked twice');
    assert.deepEqual([revoked.code, revoked.said], [0, `${member.email} now has -500 points.\n`]);
    assert.equal(await balanceOf(member.id), -500n);
    const { body } = await site.call('GET', '/api/user/history', { as: member });
    assert.deepEqual(
      body.data.map(({ amount, kind, description }: Record<string, string>) => [amount, kind, description]),
      [
        ['-2000', 'reversal', 'Chargeback: Manual: Booked twice'],
        ['1500', 'grant', 'A late credit'],
      ],
    );
    assert.equal((await admin('audit')).code, 0);
  });
  it('book once under a key', async () => {
    const member = await site.member();
    const granted = ['grant', String(member.id), '700', 'Prize', '--key', 'raffle-1'];
    assert.equal((await admin(...granted)).code, 0);
    const again = await admin(...granted);
    const answer = 'Booked before under the key raffle-1. Nothing was booked now.\n';
    assert.deepEqual([again.code, again.said], [0, answer]);
    const other = await admin('grant', String(member.id), '800', 'Prize', '--key', 'raffle-1');
    assert.deepEqual([other.code, other.said], [1, '']);
    assert.match(other.complained, /used for another booking/);
    assert.match((await admin('grant', String(member.id), '5', 'x', '--key', 'a key')).complained, /KEY/);
    assert.equal(await balanceOf(member.id), 700n);
  });
  it('let a large grant wait for an operator, under its key', async () => {
    const member = await site.member();
    const caps = JSON.stringify({ caps: { secondPersonFrom: '600' } });
    await site.owner.rows(sql`insert into platform.settings (key, value) values ('site', ${caps}::jsonb)`);
    const large = ['grant', String(member.id), '600', 'Prize', '--key', 'raffle-2'];
    assert.match((await admin(...large)).said, /^Grant \d+ waits until an operator confirms it/);
    assert.match(
      (await admin(...large)).said,
      /^Given before under the key raffle-2: grant \d+ is pending\./,
    );
    assert.equal(await balanceOf(member.id), 0n);
    await site.owner.rows(sql`delete from platform.settings`);
  });
  it('refuse an unknown member, no number, no reason and a deleted member, and move nothing', async () => {
    const [member, left] = [await site.member({ balancePoints: 100n }), await site.member()];
    await site.owner.rows(sql`select ledger.close_wallet(${left.id})`);
    const id = String(member.id);
    const refusals: [string[], RegExp, code?: 1][] = [
      [['grant', 'nobody@example.com', '5', 'x'], /no member nobody@example\.com/, 1],
      [['grant', '999999999', '5', 'x'], /no member 999999999/, 1],
      [['grant', id, '-5', 'x'], /^grant does not take -5\./m],
      [['revoke', id, '1.5', 'x'], /POINTS/],
      [['grant', id, '0', 'x'], /POINTS/],
      [['grant', id, '5'], /REASON/],
      [['grant', id, '5', ' '], /REASON/],
      [['grant', String(left.id), '5', 'x'], /closed/, 1],
    ];
    for (const [words, why, refused = 2] of refusals) {
      const { code, said, complained } = await admin(...words);
      assert.deepEqual([code, said], [refused, ''], words.join(' '));
      assert.match(complained, why);
    }
    assert.deepEqual([await balanceOf(member.id), await balanceOf(left.id)], [100n, 0n]);
  });
});

describe('admin and the audit trail', () => {
  it('leaves one row for each command that changed something', async () => {
    const acts = await site.owner.rows<{ act: string; count: bigint }>(sql`
      select act, count(*) as count from platform.acts
      where operator_id is null and act like 'points.%' group by act, target, after`);
    assert.ok(acts.length > 0);
    for (const { act, count } of acts) assert.equal(count, 1n, act);
  });

  it('compares a row of the log, and leaves out a break that was accepted', async () => {
    await chainActs(site.platform);
    const first = await site.owner.one<{ target: string; hash: string }>(
      sql`select target, chain_hash as hash from platform.acts where chain_number = 1`,
    );
    const logged = `1:${first.hash}`;
    assert.match(
      (await admin('audit', '--trail', logged)).said,
      /^Row 1 of the audit trail is the one of the log\./,
    );
    await site.owner.rows(sql`update platform.acts set target = 'other' where chain_number = 1`);
    const changed = await admin('audit');
    assert.equal(changed.code, 1);
    assert.match(changed.said, /"check":"audit-trail","subject":"1"/);
    await site.owner.rows(sql`update platform.acts set chain_hash = repeat('b', 64) where chain_number = 1`);
    const other = await admin('audit', '--trail', logged);
    assert.equal(other.code, 1);
    assert.match(other.said, /^Row 1 of the audit trail is not the one of the log\./);
    assert.equal((await admin('accept-trail', '9', 'Nothing there')).code, 1);
    const accepted = await admin('accept-trail', '1', 'The row', 'was repaired by hand');
    assert.equal(accepted.said, 'The audit leaves out 1 break of the audit trail at 1.\n');
    assert.doesNotMatch((await admin('audit')).said, /"audit-trail","subject":"1"/);
    await site.owner.rows(sql`
      update platform.acts set target = ${first.target}, chain_hash = ${first.hash} where chain_number = 1`);
  });
});

describe('admin operator', () => {
  it('makes a member an operator at once, and refuses an unknown member', async () => {
    const member = await site.member();
    assert.equal((await site.call('GET', '/api/admin/stats', { as: member })).status, 403);
    const { code, said } = await admin('operator', 'add', member.email, 'The', 'night shift');
    assert.deepEqual([code, said], [0, `${member.email} is an operator.\n`]);
    assert.equal((await site.call('GET', '/api/admin/stats', { as: member })).status, 200);
    assert.equal((await admin('operator', 'nobody@example.com')).code, 1);
  });

  it('removes an operator with a reason and ends the sessions, and never the last one', async () => {
    const [first, second] = [await site.member({ role: 'admin' }), await site.member({ role: 'admin' })];
    await site.owner.rows(sql`
      update members.members set role = 'user' where role = 'admin' and id not in (${first.id}, ${second.id})`);
    assert.equal(
      (await admin('operator', 'list')).said,
      `${first.id} ${first.email}\n${second.id} ${second.email}\n`,
    );
    const [bare, done] = [
      await admin('operator', 'remove', first.email),
      await admin('operator', 'remove', first.email, 'Left', 'the team'),
    ];
    assert.deepEqual([bare.code, bare.complained], [2, 'REASON is needed: operator remove MEMBER REASON\n']);
    assert.deepEqual(
      [done.code, done.said],
      [0, `${first.email} is no operator any more. The sessions of this person have ended.\n`],
    );
    assert.equal((await site.call('GET', '/api/admin/stats', { as: first })).status, 401);
    const again = await admin('operator', 'remove', String(first.id), 'Twice');
    assert.deepEqual([again.code, again.complained], [1, `${first.email} is no operator.\n`]);
    const last = await admin('operator', 'remove', second.email, 'Left');
    assert.deepEqual(
      [last.code, last.complained],
      [1, `${second.email} is the last operator. Add another one first.\n`],
    );
    const acts = await site.owner.rows(sql`
      select actor, operator_id as "operatorId", reason, before, after from platform.acts
      where act = 'operator.remove'`);
    assert.deepEqual(acts, [
      {
        actor: 'command-line',
        operatorId: null,
        reason: 'Left the team',
        before: { role: 'admin' },
        after: { role: 'user' },
      },
    ]);
  });
});

describe('admin without a database', () => {
  it('ends with one line, and doctor goes on to the other services', async () => {
    const silent = createServer((socket) => void sockets.add(socket));
    const sockets = new Set<Socket>();
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as AddressInfo;
    const urlAt = (at: number) => ({
      appUrl: `postgresql://app:word@127.0.0.1:${at}/earnest`,
      ownerUrl: `postgresql://owner:word@127.0.0.1:${at}/earnest`,
    });
    const [frozen, stopped, examined, examinedFrozen] = await Promise.all([
      adminProcess(urlAt(port), 'audit'),
      adminAt(urlAt(1), 'audit'),
      adminAt({ ...urlAt(1), appUrl: site.urls.appUrl }, 'doctor'),
      adminProcess(urlAt(port), 'doctor'),
    ]);
    for (const socket of sockets) socket.destroy();
    silent.close();
    for (const { code, said, complained } of [frozen, stopped]) {
      assert.deepEqual([code, said], [1, '']);
      assert.match(complained, /^DATABASE_OWNER_URL: can’t be reached: [^\n]+\n$/);
    }
    assert.match(stopped.complained, /ECONNREFUSED/);
    for (const { code, said, complained } of [examined, examinedFrozen]) {
      assert.deepEqual([code, complained], [1, '']);
      assert.match(said, /^WRONG database: DATABASE_OWNER_URL: .+\nWRONG roles: not tried/);
      assert.match(said, /^ok {4}data-folder: .*free$/m);
    }
  });
});

describe('admin without the environment of the site', () => {
  it('ends with one line, and makes no database', async () => {
    const { code, said, complained } = await adminAt(undefined, 'pause', 'A reason');
    assert.deepEqual([code, said], [1, '']);
    assert.match(
      complained,
      /^DATA_DIR: .+ has no database of a site; run this with the environment of the site\n$/,
    );
    assert.equal(existsSync(join(dataDir, 'site/postgres')), false);
  });
});

describe('admin pause and resume', () => {
  it('pause all payouts and resume them, each with its reason in the audit trail', async () => {
    const bare = await admin('pause');
    assert.deepEqual([bare.code, bare.complained], [2, 'REASON is needed: npm run admin -- pause REASON\n']);
    assert.equal(
      (await admin('pause', 'A wrong', 'rate')).said,
      'Payouts are paused. Nothing is signed or sent.\n',
    );
    assert.equal((await admin('resume', 'The rate', 'is right')).said, 'Payouts are resumed.\n');
    await admin('pause-payouts', 'Once more');
    assert.equal((await admin('resume-payouts')).code, 0, 'the reason is optional');
    const acts = await site.owner.rows(sql`
      select act, reason from platform.acts where act like 'payouts.%' and actor = 'command-line' order by id`);
    assert.deepEqual(acts, [
      { act: 'payouts.pause', reason: 'A wrong rate' },
      { act: 'payouts.resume', reason: 'The rate is right' },
      { act: 'payouts.pause', reason: 'Once more' },
      { act: 'payouts.resume', reason: null },
    ]);
  });
});

describe('admin reconcile', () => {
  it('compares the payouts of each method, and exits with 1 if one could not be compared', async () => {
    for (const words of [[], ['--noted', 'Looked', 'into']]) {
      const { code, said } = await admin('reconcile', ...words);
      assert.deepEqual({ code, said }, { code: 0, said: 'There is nothing to compare.\n' });
    }
    const unset = await admin('reconcile', '--new-account', 'litecoin', '--noted', 'Looked into');
    const unreasoned = await admin('reconcile', '--new-account', 'litecoin', '--lost');
    assert.deepEqual([unreasoned.code, unreasoned.complained], [2, 'REASON is needed.\n']);
    assert.deepEqual([unset.code, /The method is not set up/.test(unset.said)], [1, true], unset.said);
    await site.owner.rows(sql`
      insert into withdrawals.methods (method, sealed_credentials) values ('litecoin', 'sealed by another secret')
      on conflict (method) do update set sealed_credentials = excluded.sealed_credentials`);
    assert.match((await admin('reconcile', '--lost')).complained, /^--lost is said beside/);
    for (const words of [[], ['REASON']])
      assert.equal((await admin('reconcile', '--noted', ...words)).complained, 'REASON is needed.\n');
    const broken = await admin('reconcile');
    assert.equal(broken.code, 1);
    assert.match(broken.said, /^litecoin: not compared: The credentials of this method can’t be/);
  });
});

describe('admin reconcile --give-up', () => {
  it('ends a comparison after a restore once, with a reason', async () => {
    await site.owner.rows(sql`
      insert into withdrawals.methods (method) values ('litecoin') on conflict (method) do nothing`);
    await site.owner.rows(sql`
      insert into withdrawals.reconciliations (method, reason, asked_at) values ('litecoin', 'Restored.', now())`);
    assert.equal(
      (await admin('reconcile', '--give-up', 'litecoin')).complained,
      'METHOD and REASON are needed.\n',
    );
    assert.deepEqual(await admin('reconcile', '--give-up', 'litecoin', 'The', 'keys', 'are', 'lost'), {
      code: 0,
      said:
        'litecoin: the comparison is given up. Its pending requests can be decided. ' +
        'Start the nodes that do not run before: each holds what its record knows.\n',
      complained: '',
    });
    const again = await admin('reconcile', '--give-up', 'litecoin', 'Again');
    assert.deepEqual([again.code, again.complained], [1, 'Nothing waits for litecoin.\n']);
    const acts = await site.owner.rows(sql`
      select reason, before from platform.acts where act = 'payout.reconcile' and target = 'litecoin'`);
    assert.deepEqual(acts, [{ reason: 'The keys are lost', before: { reason: 'Restored.' } }]);
  });
});

describe('admin repair', () => {
  it('rebuilds nothing if its act can’t be written', async () => {
    await site.owner.rows(sql`
      update ledger.account_days_end set closed_until = platform.business_now() + interval '9 days'`);
    await site.owner.rows(
      sql`alter table platform.acts add constraint no_repair check (act <> 'site.repair') not valid`,
    );
    assert.equal((await admin('repair')).code, 1);
    await site.owner.rows(sql`alter table platform.acts drop constraint no_repair`);
    const { isAhead } = await site.owner.one<{ isAhead: boolean }>(sql`
      select closed_until > platform.business_now() as "isAhead" from ledger.account_days_end`);
    assert.equal(isAhead, true);
  });

  it('sets right what a wrong clock wrote', async () => {
    await site.owner.rows(sql`
      update ledger.account_days_end set closed_until = platform.business_now() + interval '9 days'`);
    await site.owner.rows(sql`
      insert into platform.leases (name, holder, token, taken_at, expires_at)
      values ('x', 'y', 1, now(), now() + interval '9 days')`);
    const { code, said, complained } = await admin('repair');
    assert.equal(code, 0, complained);
    assert.match(said, /^The day sums hold \d+ movements\. 1 leases ended, 0 times set back\.\n$/);
    const acts = await site.owner.rows<{ after: { movements: string } }>(
      sql`select after from platform.acts where act = 'site.repair'`,
    );
    const [, movements = ''] = /hold (\d+) movements/.exec(said) ?? [];
    assert.deepEqual(acts, [{ after: { leases: 1, times: 0, movements } }]);
    const found = await runChecks(site.owner, siteChecks);
    assert.deepEqual(
      found.filter(({ check }) => check !== 'members'),
      [],
      'apart from the wallet that a test closed',
    );
  });
});

describe('admin bounce', () => {
  it('lets a mail server neither answer an ordinary mail nor lose one while the database is away', async () => {
    assert.equal((await adminProcess(site.urls, 'bounce', '/dev/stdin')).code, 0);
    assert.equal((await admin('bounce', '/dev/null')).code, 1);
    const away = 'postgresql://earnest@127.0.0.1:9/earnest';
    assert.equal((await adminAt({ appUrl: away, ownerUrl: away }, 'bounce', '/dev/stdin')).code, 75);
  });
});

describe('admin doctor', () => {
  it('says on one line each what works, and exits with 1 because the site is not at PUBLIC_URL', async () => {
    const { code, said, complained } = await admin('doctor');
    assert.deepEqual([code, complained], [1, '']);
    const lines = said.trimEnd().split('\n');
    for (const line of lines) assert.match(line, /^(ok {4}|WRONG )[a-z-]+( \S+)?: \S/);
    assert.match(said, /^ok {4}roles: /m);
    assert.match(said, /^ok {4}mail: not set; the sandbox simulates it$/m);
    assert.match(said, /^WRONG proxy: .*ECONNREFUSED/m);
  });
});
