import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { TimelineLine } from '#contract/timeline.ts';
import { recordActs } from '#platform/audit-trail.ts';
import { openDatabase, sql } from '#platform/database.ts';
import { offerMethod } from '../../test/offered-methods.ts';
import { tablesReadBeyond } from '../../test/rows-read.ts';
import { type Person, testSite } from '../../test/site.ts';
import { loginLines } from '../access/member-records.ts';
import { post, postAll } from '../ledger/ledger.ts';
import { movementLines } from '../ledger/timeline.ts';
import { noticeSources } from '../notices/timeline.ts';
import { decisionLines } from '../withdrawals/member-records.ts';
import { readTimeline } from './timeline.ts';

/** One member as operators see it, and the timeline. */
const site = await testSite({ after });
await offerMethod(site.platform, 'litecoin');
const operator = await site.member({ role: 'admin' });
const ADDRESS = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';

const read = async (person: Pick<Person, 'id'>) =>
  (await site.call('GET', `/api/admin/users/${person.id}`, { as: operator })).body;
const timelineOf = async (person: Pick<Person, 'id'>, query = ''): Promise<TimelineLine[]> => {
  const { status, body } = await site.call('GET', `/api/admin/users/${person.id}/timeline${query}`, {
    as: operator,
  });
  assert.equal(status, 200);
  return body;
};
const kindsOf = (lines: readonly TimelineLine[]) => lines.map(({ kind }) => kind);
const advance = (advanceSeconds: number) => site.call('POST', '/sandbox/clock', { body: { advanceSeconds } });

async function withdraw(as: Person, address = ADDRESS): Promise<string> {
  const body = { amountPoints: '1000', method: 'litecoin', recipientInfo: { address } };
  const asked = await site.call('POST', '/api/withdrawal', { as, body });
  assert.equal(asked.status, 201);
  return asked.body.id;
}
const reject = (id: string) =>
  site.call('POST', `/api/admin/withdrawals/${id}/reject`, { as: operator, body: { reason: 'Not today' } });

describe('one member', () => {
  it('has the account, the figures and the facts, without a secret', async () => {
    const referrer = await site.member();
    const member = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
    await site.owner.rows(sql`
      update members.members set referred_by = ${referrer.id}, password_hash = 'a hash of a password'
      where id = ${member.id}`);
    await withdraw(member);
    const record = await read(member);
    assert.deepEqual(
      [
        record.id,
        record.email,
        record.balance,
        record.waiting,
        record.paidOut,
        record.paidCount,
        record.debt,
      ],
      [String(member.id), member.email, '4000', '1000', '0', 0, '0'],
    );
    assert.equal(record.referrer.id, String(referrer.id));
    assert.equal(record.hasPassword, true);
    await site.owner.rows(sql`
      update members.members set last_sign_in_at = platform.business_now() + interval '1 hour'
      where id = ${member.id}`);
    const listed = await site.call('GET', `/api/admin/users?q=${member.id}`, { as: operator });
    const [{ lastLoginAt }] = listed.body;
    assert.deepEqual(
      (await read(member)).lastSeen,
      { at: lastLoginAt, userAgent: '' },
      'never before the last login',
    );
    assert.doesNotMatch(JSON.stringify(record), /a hash of a password|token|sid=/);
  });

  it('is 404 for an unknown id, and 403 for members', async () => {
    const member = await site.member();
    for (const path of [
      '/api/admin/users/999999999',
      '/api/admin/users/12',
      '/api/admin/users/999999999/timeline',
    ])
      assert.equal((await site.call('GET', path, { as: operator })).status, 404, path);
    for (const path of [`/api/admin/users/${member.id}`, `/api/admin/users/${member.id}/timeline`])
      assert.equal((await site.call('GET', path, { as: member })).status, 403, path);
  });

  it('keeps what waits and what was paid with each request, return and payment', async () => {
    const member = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
    const [first, second] = [await withdraw(member), await withdraw(member)];
    assert.equal((await read(member)).waiting, '2000');
    assert.equal((await reject(first)).status, 200);
    assert.equal((await read(member)).waiting, '1000');
    await site.owner.rows(sql`
      update withdrawals.withdrawals set state = 'approved', rate = 80, amount_units = 1, decided_at = now()
      where id = ${second}`);
    await site.owner.rows(sql`
      insert into withdrawals.payouts
        (withdrawal_id, method, destination, amount_units, state, reference, artifact, signed_at, queued_at, due_at)
      values (${second}, 'litecoin', ${ADDRESS}, 1, 'broadcast', ${'cd'.repeat(32)}, 'bytes', now(), now(), now())`);
    await site.owner.rows(sql`select withdrawals.confirm_payout(${second})`);
    const { waiting, paidOut, paidCount } = await read(member);
    assert.deepEqual([waiting, paidOut, paidCount], ['0', '1000', 1]);
    const lines = await timelineOf(member);
    assert.ok(kindsOf(lines).includes('withdrawal-paid'));
    assert.ok(kindsOf(lines).includes('withdrawal-approved'));
  });

  it('says what is blocked now, and names the accounts with something in common', async () => {
    const [member, sameMailbox, samePayout, stranger] = [
      await site.member({ balancePoints: 5_000n, isPhoneVerified: true }),
      await site.member(),
      await site.member({ balancePoints: 5_000n, isPhoneVerified: true }),
      await site.member({ balancePoints: 5_000n, isPhoneVerified: true }),
    ];
    const own = 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1';
    await withdraw(member, own);
    await withdraw(samePayout, own);
    await withdraw(stranger);
    await site.owner.rows(sql`
      update members.members set email_canonical = 'one@example.com'
      where id in (${member.id}, ${sameMailbox.id})`);
    const add = (expiresAt: string | null, reason: string) =>
      site.owner.rows(sql`
        insert into members.suspensions (member_id, reason, severity, suspension_type, created_at, expires_at)
        values (${member.id}, ${reason}, 'temporary', 'withdrawal_blocked', platform.business_now(),
          ${expiresAt}::timestamptz)`);
    await add('2020-01-01', 'Long ago');
    await add(null, 'Two reversals');
    const record = await read(member);
    assert.deepEqual(
      record.suspensions.map(({ reason }: { reason: string }) => reason),
      ['Two reversals'],
    );
    const linked = new Map(
      record.linkedAccounts.map((one: { id: string; reasons: string[] }) => [one.id, one.reasons]),
    );
    assert.deepEqual(linked.get(String(sameMailbox.id)), ['mailbox']);
    assert.deepEqual(linked.get(String(samePayout.id)), ['payout-address']);
    assert.equal(linked.size, 2);
    assert.ok(record.linkedAccounts.every(({ paidOut }: { paidOut: string }) => paidOut === '0'));
    assert.deepEqual(kindsOf(await timelineOf(member, '?part=decisions')), ['suspended', 'suspended']);
  });

  it('counts a device only together with a public address', async () => {
    const [one, two, far] = [await site.member(), await site.member(), await site.member()];
    const device = (memberId: number, address: string) =>
      site.owner.rows(sql`
        insert into access.devices (fingerprint_hash, member_id, address, fields, first_seen_at, last_seen_at)
        values ('\\x01', ${memberId}, ${address}::inet, '{}', now(), now())`);
    await device(one.id, '93.184.216.34');
    await device(two.id, '93.184.216.34');
    await device(far.id, '93.184.216.35');
    const found = (await read(one)).linkedAccounts;
    assert.deepEqual(
      found.map(({ id, reasons }: { id: string; reasons: string[] }) => [id, reasons]),
      [[String(two.id), ['device']]],
    );
    await site.owner.rows(
      sql`update access.devices set address = '10.0.0.7' where member_id in (${one.id}, ${two.id})`,
    );
    assert.deepEqual((await read(one)).linkedAccounts, []);
  });
});

describe('the timeline of a member', () => {
  it('has everything, newest first, with the balance after each movement', async () => {
    const member = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
    await advance(60);
    await site.owner.rows(sql`
      select notices.add(${member.id}, 'sign-in',
        '{"userAgent": "Mozilla/5.0 (X11; Linux) Chrome/1", "address": "203.0.113.7"}')`);
    await advance(60);
    const id = await withdraw(member);
    await advance(60);
    await reject(id);
    await advance(60);
    const ticket = { subject: 'A question', message: 'Where are they?' };
    assert.equal((await site.call('POST', '/api/support/tickets', { as: member, body: ticket })).status, 201);
    await advance(60);
    assert.equal((await site.call('DELETE', `/api/admin/users/${member.id}`, { as: operator })).status, 204);
    const lines = await timelineOf(member);
    const kinds = kindsOf(lines);
    for (const kind of [
      'joined',
      'new-device',
      'withdrawal',
      'withdrawal-return',
      'withdrawal-rejected',
      'ticket',
      'deleted',
    ])
      assert.ok(kinds.includes(kind as TimelineLine['kind']), `${kind} of ${kinds}`);
    const times = lines.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted().reverse());
    const of = (kind: string) => lines.find((line) => line.kind === kind);
    assert.deepEqual([of('withdrawal')?.amount, of('withdrawal')?.balanceAfter], ['-1000', '4000']);
    assert.deepEqual(
      [of('withdrawal-return')?.amount, of('withdrawal-return')?.balanceAfter],
      ['1000', '5000'],
    );
    assert.equal(
      of('withdrawal-rejected')?.link,
      `/management-panel-x7k9w/withdrawals?status=all&open=${id}`,
    );
    const { reason, operator: by } = of('withdrawal-rejected')?.facts ?? {};
    assert.deepEqual([reason, by], ['Not today', operator.email]);
    assert.ok(lines.every(({ facts }) => !('operatorId' in facts)));
    assert.equal(new Set(lines.map((line) => line.id)).size, lines.length);
    assert.deepEqual(new Set(kindsOf(await timelineOf(member, '?part=support'))), new Set(['ticket']));
  });

  it('has a suspension, its end and a deletion once each, with the operator', async () => {
    const member = await site.member();
    const suspension = await site.call('POST', '/api/admin/suspend-user', {
      as: operator,
      body: {
        userId: String(member.id),
        reason: 'Two reversals',
        severity: 'permanent',
        suspensionType: 'withdrawal_blocked',
      },
    });
    assert.equal(suspension.status, 201);
    await advance(60);
    const lifting = { as: operator, body: { liftReason: 'Explained' } };
    const lifted = await site.call('POST', `/api/admin/lift-suspension/${suspension.body.id}`, lifting);
    assert.equal(lifted.status, 200);
    await advance(60);
    const given = { userId: String(member.id), amount: 500, reason: 'Thanks' };
    const grant = await site.call('POST', '/api/admin/give-points', { as: operator, body: given });
    assert.equal(grant.status, 201, JSON.stringify(grant.body));
    await advance(60);
    assert.equal((await site.call('DELETE', `/api/admin/users/${member.id}`, { as: operator })).status, 204);
    const told = (await timelineOf(member)).filter(({ kind }) => !['joined', 'grant'].includes(kind));
    assert.deepEqual(
      told.map(({ kind, facts }) => [kind, facts.act, facts.reason, facts.operator]),
      [
        ['deleted', undefined, undefined, operator.email],
        ['act', 'points.grant', 'Thanks', operator.email],
        ['lifted', undefined, 'Explained', operator.email],
        ['suspended', undefined, 'Two reversals', operator.email],
      ],
    );
  });

  it('has the acts on what is the member’s, and none on another thing with the same number', async () => {
    const member = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
    const id = await withdraw(member);
    const body = { subject: 'A question', message: 'Where are they?' };
    const ticket = (await site.call('POST', '/api/support/tickets', { as: member, body })).body.id;
    const closing = { as: operator, body: { status: 'closed' } };
    await site.call('PATCH', `/api/admin/support/tickets/${ticket}/status`, closing);
    assert.equal((await reject(id)).status, 200);
    const target = { kind: 'quarantine', id: BigInt(member.id), memberId: null } as const;
    await site.database.transaction((tx) =>
      recordActs(tx, [
        { actor: operator.id, act: 'quarantine.resolve', target },
        { actor: 'command-line', act: 'points.grant', target: { kind: 'member', id: member.id } },
      ]),
    );
    const acts = (await timelineOf(member)).filter(({ kind }) => kind === 'act');
    assert.deepEqual(
      acts.map(({ facts, link }) => [facts.act, facts.actor, link]),
      [
        ['points.grant', 'command-line', null],
        ['ticket.change-status', 'operator', `/management-panel-x7k9w/support?status=all&open=${ticket}`],
      ],
    );
  });

  it('has every line once over all pages, also of the same moment', async () => {
    const member = await site.member();
    const movement = (index: number) => ({
      memberId: member.id,
      key: `test:${member.id}:${index}`,
      kind: 'grant' as const,
      amountPoints: 1n,
      account: 'grants',
      subject: `Number ${index}`,
      provider: null,
      transactionId: null,
    });
    await postAll(
      site.database,
      Array.from({ length: 120 }, (_, index) => movement(index)),
    );
    const pages: TimelineLine[][] = [];
    let next: string | null | undefined;
    do {
      const page = await timelineOf(member, next ? `?before=${next}` : '');
      pages.push(page);
      // A line that is added meanwhile neither repeats nor hides others.
      await post(site.database, movement(1_000 + pages.length));
      next = page.at(-1)?.next;
    } while (next);
    const grants = pages.flat().filter(({ kind }) => kind === 'grant');
    assert.equal(pages[0]?.length, 50);
    assert.equal(grants.length, 120);
    assert.equal(new Set(grants.map(({ facts }) => facts.subject)).size, 120);
    assert.equal(kindsOf(pages.flat()).filter((kind) => kind === 'joined').length, 1);
  });

  it('refuses a place that it did not name', async () => {
    const member = await site.member();
    const placed = (places: unknown) => Buffer.from(JSON.stringify(places)).toString('base64url');
    for (const before of [
      'x',
      placed(null),
      placed({ movement: 'abc' }),
      placed({ movement: 5 }),
      placed({ other: '1' }),
    ]) {
      const path = `/api/admin/users/${member.id}/timeline?before=${before}`;
      assert.equal((await site.call('GET', path, { as: operator })).status, 400, before);
    }
  });

  it('reads as many rows for a late page of a long history as for the first of a short one', async () => {
    const member = await site.member();
    const movements = Array.from({ length: 1_000 }, (_, index) => ({
      memberId: member.id,
      key: `long:${member.id}:${index}`,
      kind: 'grant' as const,
      amountPoints: 1n,
      account: 'grants',
      subject: 'One of many',
      provider: null,
      transactionId: null,
    }));
    await postAll(site.database, movements);
    await site.owner.rows(sql`vacuum analyze ledger.movements`);
    const late = Buffer.from(JSON.stringify({ movement: '200' })).toString('base64url');
    const names = async () => ({ providers: new Map(), methods: new Map() });
    const sources = [movementLines(names), decisionLines, ...noticeSources, loginLines];
    const connection = openDatabase({ url: site.urls.appUrl, connectionsMax: 1 });
    try {
      const reads = await connection.transaction(async (tx) => {
        const within = { ...connection, rows: tx.rows, row: tx.row, one: tx.one };
        const lines = await readTimeline(within, member.id, { before: late }, sources);
        assert.equal(lines.length, 50);
        return tablesReadBeyond(tx, 100);
      });
      assert.deepEqual(reads, []);
    } finally {
      await connection.close();
    }
  });
});
