import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type NoticeKind, noticeKinds } from '#contract/notice-kinds.ts';
import { sql } from '#platform/database.ts';
import { deviceTextOf } from './device.ts';
import { newTransaction, startPostbacks, takenBack, values } from './postback-site.ts';
import type { Answer } from './site.ts';

/** How soon the member's browser hears of each kind of notice. */
const NEWS_MS_MAX = 1_000;
const { site, send } = await startPostbacks({ after });
const operator = await site.member({ role: 'admin' });
const account = { email: 'told@example.com', password: 'a quiet river 7' };

async function register() {
  const { status, headers } = await site.call('POST', '/api/auth/register', {
    body: {
      ...account,
      firstName: 'Mina',
      deviceFingerprint: deviceTextOf(),
      hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
    },
  });
  assert.equal(status, 201);
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const { id } = await site.owner.one<{ id: number }>(
    sql`select id::integer as id from members.members where email = ${account.email}`,
  );
  return { id, email: account.email, cookie };
}

it('is heard within a second of the commit, of each kind', async () => {
  const member = await register();
  const socket = new WebSocket(`${site.origin.replace('http', 'ws')}/ws`, {
    headers: { cookie: member.cookie, origin: site.origin },
  });
  const heard: { kind: string; atMs: number }[] = [];
  let isOpen = false;
  socket.on('message', (raw) => {
    const { type, kind } = JSON.parse(String(raw)) as { type: string; kind: string };
    if (type === 'auth_success') isOpen = true;
    if (type === 'notice') heard.push({ kind, atMs: performance.now() });
  });
  while (!isOpen) await sleep(5);

  const timed: NoticeKind[] = [];
  /** The commit is a part of the work, so the time from its start is longer than the time that is limited. */
  const hear = async (kind: NoticeKind, work: () => Promise<Answer>) => {
    heard.splice(0);
    const startedAtMs = performance.now();
    const { status, body } = await work();
    assert.ok(status < 300, `${kind}: ${status} ${JSON.stringify(body)}`);
    for (let waitedMs = 0; heard.length === 0 && waitedMs < 3_000; waitedMs += 10) await sleep(10);
    const ms = (heard[0]?.atMs ?? Number.POSITIVE_INFINITY) - startedAtMs;
    assert.deepEqual([heard.map((one) => one.kind), ms < NEWS_MS_MAX], [[kind], true], `${ms} ms`);
    timed.push(kind);
  };
  const order = (path: string, body: unknown) =>
    site.call('POST', path, {
      as: operator,
      body,
      headers: { 'idempotency-key': `order-${timed.length}` },
    });

  await hear('held', () => send('cpx', values('cpx', member.id, newTransaction(), '12000')));
  const { heldId } = await site.owner.one<{ heldId: bigint }>(sql`
    select held_id as "heldId" from earning.earnings where member_id = ${member.id} and state = 'held'`);
  await hear('approved', () =>
    order(`/api/admin/pending-earnings/${heldId}/approve`, { reviewNote: 'Looks right' }),
  );
  const transaction = newTransaction();
  await send('cpx', values('cpx', member.id, transaction, '180'));
  await hear('chargeback', () => send('cpx', takenBack('cpx', member.id, transaction, '180')));
  const userId = String(member.id);
  await hear('granted', () => order('/api/admin/give-points', { userId, amount: 5, reason: 'Prize' }));
  await hear('message', () => order(`/api/admin/users/${userId}/message`, { text: 'Your points are here.' }));
  const { claimId } = await site.owner.one<{ claimId: bigint }>(sql`
    insert into claims.claims (member_id, opening_id, provider, opened_at, text, filed_at, due_at)
    select ${member.id}, 1, 'cpx', c.now, 'Nothing came', c.now, c.now from (select platform.business_now() as now) c
    returning id as "claimId"`);
  await hear('ticket', () =>
    site.call('PATCH', `/api/admin/claims/${claimId}`, { as: operator, body: { state: 'asked' } }),
  );
  await hear('decision', () =>
    order('/api/admin/suspend-user', {
      userId,
      reason: 'Two accounts',
      severity: 'warning',
      suspensionType: 'earnings_blocked',
      expiresAt: null,
    }),
  );
  await hear('sign-in', () =>
    site.call('POST', '/api/auth/login', { body: account, headers: { 'user-agent': 'Another browser' } }),
  );
  const body = { currentPassword: account.password, newPassword: 'another quiet river 8' };
  await hear('security', () => site.call('PUT', '/api/user/password', { as: member, body }));
  // The two others are timed with a payment, in `realtime.site.test.ts`.
  assert.deepEqual([...timed, 'paid', 'rejected'].sort(), [...noticeKinds].sort());
  socket.terminate();
});
