import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database.ts';
import { ensureAccount } from '../server/access/access.ts';
import { beginBroadcast, retryBroadcast } from '../server/broadcasts/broadcasts.ts';
import { startBroadcasts } from '../server/broadcasts/jobs.ts';
import { sendingParts } from './broadcast-parts.ts';
import { testDatabase } from './database.ts';
import { testSmtp } from './smtp-server.ts';

/**
 * A node killed in the middle of a broadcast at the worst moment: the mail server has accepted a mail, and has not said
 * so. `npm run campaign -- broadcasts` sends 10,000 mails and kills five nodes.
 */
const isCampaign = process.env.CAMPAIGN_RUNS !== undefined;
const RECIPIENTS = Number(process.env.CAMPAIGN_RUNS ?? 2_000);
const KILLS = isCampaign ? 5 : 1;
const LEASE_MS = 2_000;
const CONNECTIONS = 5;
const { database, owner, appUrl } = await testDatabase({ after });
const smtp = await testSmtp({ after });

const startNode = (): ChildProcess => {
  const env = { TEST_DATABASE_URL: appUrl, TEST_SMTP_URL: smtp.url, TEST_LEASE_MS: String(LEASE_MS) };
  const node = spawn(process.execPath, ['test/broadcast-node-process.ts'], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  after(() => void node.kill('SIGKILL'));
  return node;
};

async function makeReaders(): Promise<number> {
  const account = { password: null, firstName: 'Mina', lastName: null, isEmailVerified: true } as const;
  const { id } = await ensureAccount(database, { ...account, email: 'op@example.com', role: 'admin' });
  await owner.rows(sql`
    insert into members.members (id, email, email_canonical, email_verified_at, first_name, referral_code,
      terms_version, created_at)
    select 500000000 + n, 'reader' || n || '@example.com', 'reader' || n || '@example.com', platform.business_now(),
      'Reader ' || n, 'READER' || n, '1', platform.business_now()
    from generate_series(1, ${RECIPIENTS - 1}) n`);
  return id;
}

const readProgress = (id: string) =>
  owner.one<{ status: string; sent: number; perhaps: number }>(sql`
    select status, sent_count as sent, perhaps_count as perhaps from broadcasts.broadcasts where id = ${id}::bigint`);

async function untilDone(id: string): Promise<{ sent: number; perhaps: number }> {
  for (let tries = 0; tries < 2_400; tries += 1) {
    const progress = await readProgress(id);
    if (progress.status === 'done') return progress;
    await sleep(100);
  }
  return assert.fail(JSON.stringify(await readProgress(id)));
}

/** How many of the addresses have a mail how often. */
function copiesByAddress(): Map<string, number> {
  const copies = new Map<string, number>();
  for (const { to } of smtp.received) copies.set(to, (copies.get(to) ?? 0) + 1);
  return copies;
}

test('a broadcast whose nodes are killed reaches each once, and names those of whom that is unknown', async () => {
  const operatorId = await makeReaders();
  const texts = { subject: 'A short pause', content: 'On Monday at three.' };
  const { id, recipients } = await beginBroadcast({ database }, operatorId, texts);
  assert.equal(recipients, RECIPIENTS);
  const killAt = Array.from({ length: KILLS }, (_, index) =>
    Math.floor((RECIPIENTS * (index + 1)) / (KILLS + 1)),
  );
  for (const count of killAt) {
    const node = startNode();
    const killed = once(node, 'exit');
    smtp.onAccepted = () => {
      if (smtp.received.length === count) node.kill('SIGKILL');
    };
    assert.equal((await killed)[1], 'SIGKILL');
  }
  smtp.onAccepted = () => {};
  after(startBroadcasts(sendingParts(database, smtp.url, LEASE_MS)).close);
  const { sent, perhaps } = await untilDone(id);
  const copies = copiesByAddress();
  assert.deepEqual(
    [...copies].filter(([, count]) => count > 1),
    [],
    'nobody has it twice',
  );
  assert.equal(sent + perhaps, RECIPIENTS);
  assert.ok(perhaps >= killAt.length && perhaps <= killAt.length * CONNECTIONS, String(perhaps));
  const named = await owner.rows<{ email: string; state: string }>(sql`
    select p.email, m.state from broadcasts.mails m join members.members p on p.id = m.member_id
    where m.broadcast_id = ${id}::bigint`);
  const missing = named.filter(({ email, state }) => state !== 'perhaps' && !copies.has(email));
  assert.deepEqual(missing, [], 'whoever is not named has it');
  const unknown = new Set(named.filter(({ state }) => state === 'perhaps').map(({ email }) => email));
  assert.ok(
    [...unknown].some((email) => copies.has(email)),
    'a killed node had sent one of them',
  );

  await retryBroadcast({ database }, operatorId, BigInt(id), 'perhaps-sent');
  assert.deepEqual(await untilDone(id), { status: 'done', sent: RECIPIENTS, perhaps: 0 });
  const all = copiesByAddress();
  assert.equal(all.size, RECIPIENTS);
  for (const [email, count] of all) assert.ok(count === 1 || (count === 2 && unknown.has(email)), email);
});
