import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runAdmin } from './admin-command.ts';
import type { TestDatabase } from './database.ts';
import { type Account, demoWorld, needDemoWorld, type StartedNode, startedNode } from './running-site.ts';

/** A start on an older copy of the database, as operators see it: log, health, back office and command line. */
await needDemoWorld({ after });
const { database, node } = await demoWorld({ after });
const environmentOf = ({ appUrl, ownerUrl }: TestDatabase) => ({
  ...node,
  DATABASE_URL: appUrl,
  DATABASE_OWNER_URL: ownerUrl,
});

type Troubles = { troubles: { name: string; trouble: string }[] };
type Row = { id: string; payoutState: string; address: string };

async function operatorOf(site: StartedNode, account: Account) {
  const { origin } = site;
  const call = async (method: string, path: string, body?: unknown, cookie = '') => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { origin, cookie, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}\n${await answer.clone().text()}`);
    return answer;
  };
  const login = await call('POST', '/api/auth/login', account);
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const read = async <Reply>(path: string) =>
    (await (await call('GET', path, undefined, cookie)).json()) as Reply;
  const readRows = async (query: string): Promise<Row[]> =>
    (await read<{ withdrawals: Row[] }>(`/api/admin/withdrawals-data?${query}`)).withdrawals;
  return {
    readRows,
    stateOf: async (id: string) =>
      (await readRows('pageSize=100&status=approved')).find((row) => row.id === id)?.payoutState,
    settings: (body: unknown) => call('PUT', '/api/admin/site', body, cookie),
    approve: (id: string) => call('POST', `/api/admin/withdrawals/${id}/approve`, {}, cookie),
    read,
    advance: (seconds: number) => call('POST', '/sandbox/clock', { advanceSeconds: seconds }, cookie),
  };
}

async function until(site: StartedNode, what: string, isSo: () => boolean | Promise<boolean>) {
  for (let waitedMs = 0; !(await isSo()); waitedMs += 100) {
    assert.ok(waitedMs < 60_000, `${what}; the log:\n${site.log()}`);
    await sleep(100);
  }
}

const paidTo = async (site: StartedNode, address: string): Promise<number> => {
  const chain = (await (await fetch(`${site.origin}/sandbox/chain`)).json()) as { address: string }[];
  return chain.filter((entry) => entry.address === address).length;
};

it('says in log, health and back office that an older copy was restored, and is released by the command', async () => {
  const lifetime = { after };
  const admin = (...words: string[]) => runAdmin(environmentOf(database), ...words);
  const before = await startedNode(lifetime, environmentOf(database));
  const asked = await operatorOf(before, before.operator);
  await asked.settings({ payoutsPaused: true });
  const [paid, waiting] = await asked.readRows('status=pending&method=litecoin');
  assert.ok(paid && waiting);
  await asked.approve(paid.id);
  // This one is not due before the other one is paid.
  await asked.settings({ payoutDelaySeconds: 3_600 });
  await asked.approve(waiting.id);
  await before.close();
  const copy = await database.copy(lifetime);

  const paying = await startedNode(lifetime, environmentOf(database));
  assert.equal((await admin('resume')).code, 0);
  const operator = await operatorOf(paying, paying.operator);
  await until(paying, 'it is not sent', async () => (await operator.stateOf(paid.id)) !== 'queued');
  await until(paying, 'it is not on the chain', async () => (await paidTo(paying, paid.address)) === 1);
  assert.equal(await paidTo(paying, waiting.address), 0);
  await paying.close();
  assert.doesNotMatch(paying.log(), /not the database last used/);

  const restored = await startedNode(lifetime, environmentOf(copy));
  const [line = ''] = restored.log().match(/^.*this is not the database last used.*$/m) ?? [];
  const said = JSON.parse(line);
  assert.deepEqual(
    [said.level, said.msg],
    [50, 'this is not the database last used; payouts are compared before any is paid'],
  );
  assert.match(said.difference, /^The database (knows|does not have)/);
  const atCopy = (...words: string[]) => runAdmin(environmentOf(copy), ...words);
  const degraded = async (): Promise<string[]> =>
    ((await (await fetch(`${restored.origin}/readyz`)).json()) as { degraded: string[] }).degraded;
  await until(restored, 'health is silent', async () => (await degraded()).includes('restore'));
  // The sessions of the copy have ended, so this is a new login.
  const seen = await operatorOf(restored, restored.operator);
  const { troubles } = await seen.read<Troubles>('/api/admin/health');
  assert.match(troubles.find(({ name }) => name === 'restore')?.trouble ?? '', /older copy was restored/);

  const compared = await atCopy('reconcile');
  assert.equal(compared.code, 0, compared.complained);
  assert.match(compared.said, /^litecoin: compared; what is clear goes on$/m);
  const lineOf = (id: string) => compared.said.split('\n').find((one) => one.includes(id)) ?? '';
  assert.match(
    lineOf(paid.id),
    /^litecoin: payout \S+ of [\d.]+ is parked\. This payout may be paid already/,
  );
  assert.match(lineOf(waiting.id), /^litecoin: payout \S+ of [\d.]+ is parked\. /);
  assert.match(compared.said, /reconcile --release-approved REASON/);
  const released = await atCopy('reconcile', '--release-approved', 'Nothing', 'was taken back');
  assert.match(released.said, /^Released \d+ payouts? that the copy has approved\.$/m);
  assert.equal((await atCopy('resume')).code, 0);
  await seen.advance(3_601);
  await until(
    restored,
    'the clear one is not paid',
    async () => (await paidTo(restored, waiting.address)) === 1,
  );
  assert.equal(await paidTo(restored, paid.address), 1, 'and nothing a second time');
  assert.equal(await seen.stateOf(paid.id), 'parked');
  await restored.close();
});
