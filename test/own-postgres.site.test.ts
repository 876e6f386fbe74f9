import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, sql } from '#platform/database.ts';
import { runPostgresProgram, skipWithoutOwnPostgres, startOwnPostgres } from './own-postgres.ts';
import { skipWithoutPgbouncer, startPgbouncer } from './pgbouncer.ts';
import { type StartedNode, startedNode } from './running-site.ts';

/** The site on a PostgreSQL of the operator's own: dumped, restored into another server, behind PgBouncer. */
const directory = mkdtempSync(join(tmpdir(), 'own-postgres-site-'));
after(() => rmSync(directory, { recursive: true }));
const dumpFile = join(directory, 'site.dump');

const post = (site: StartedNode, path: string, body: unknown, cookie = '') =>
  fetch(`${site.origin}${path}`, {
    method: 'POST',
    headers: { origin: site.origin, cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const signIn = async (site: StartedNode): Promise<string> => {
  const answer = await post(site, '/api/auth/login', site.member);
  assert.equal(answer.status, 200);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
};
const balanceOf = async (site: StartedNode, cookie: string): Promise<bigint> => {
  const answer = await fetch(`${site.origin}/api/user/stats`, { headers: { cookie } });
  return BigInt(((await answer.json()) as { balance: string }).balance);
};

/** The mails with a link for a new password. */
async function mailCount(site: StartedNode, to: string): Promise<number> {
  const answer = await fetch(`${site.origin}/sandbox/outbox`);
  const mails = (await answer.json()) as { to: string; text: string }[];
  return mails.filter((mail) => mail.to === to && mail.text.includes('reset-password')).length;
}

describe('a site on a PostgreSQL of its own', {
  skip: skipWithoutOwnPostgres || skipWithoutPgbouncer,
}, () => {
  it('serves behind PgBouncer from a dump that the owner alone restored into a new server', async () => {
    const dataDir = { DATA_DIR: join(directory, 'data') };
    const first = await startOwnPostgres({ after });
    const before = await startedNode(
      { after },
      { ...dataDir, DATABASE_URL: first.appUrl, DATABASE_OWNER_URL: first.ownerUrl },
    );
    const balance = await balanceOf(before, await signIn(before));
    await runPostgresProgram('pg_dump', ['--format=custom', `--file=${dumpFile}`, first.ownerUrl]);
    await before.close();

    const second = await startOwnPostgres({ after });
    await runPostgresProgram('pg_restore', ['--no-owner', `--dbname=${second.ownerUrl}`, dumpFile]);
    const { through } = await startPgbouncer({ after }, [second.appUrl]);
    const site = await startedNode(
      { after },
      { ...dataDir, DATABASE_URL: through(second.appUrl), DATABASE_OWNER_URL: second.ownerUrl },
    );
    const cookie = await signIn(site);
    assert.equal(await balanceOf(site, cookie), balance);
    assert.equal((await post(site, '/api/daily-bonus/claim', {}, cookie)).status, 200);
    assert.ok((await balanceOf(site, cookie)) > balance);
    const { email } = site.member;
    const mailsBefore = await mailCount(site, email);
    assert.ok((await post(site, '/api/auth/forgot-password', { email })).ok);
    for (let tries = 0; tries < 100 && (await mailCount(site, email)) === mailsBefore; tries += 1)
      await sleep(100);
    assert.equal(await mailCount(site, email), mailsBefore + 1);

    const app = openDatabase({ url: second.appUrl, connectionsMax: 1 });
    const { jit } = await app.one<{ jit: string }>(sql`select current_setting('jit') as jit`);
    await app.close();
    assert.equal(jit, 'off');
    await site.close();
    assert.ok(!/"level":60|"msg":"(fault|job failed)"/.test(site.log()), site.log());
  });
});
