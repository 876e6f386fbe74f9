import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database.ts';
import { mailsTo, startMailing, tokenIn, untilMails } from '../../test/mail.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';
import { ensureAccount } from './access.ts';

/** Passwords chosen without the old one: by a mailed link, or as the first one. */
const site = await testSite({ after });
await startMailing(site, { after });

const post = (path: string, body: unknown, as?: Person): Promise<Answer> =>
  site.call('POST', `/api/auth/${path}`, { body, ...(as === undefined ? {} : { as }) });
const forget = (email: string) => post('forgot-password', { email });
const reset = (token: string, newPassword = 'a wide meadow 9') =>
  post('reset-password', { token, newPassword });
const signIn = (email: string, password: string) => post('login', { email, password });
const sessionOf = ({ headers }: Answer): Person => ({
  id: 0,
  email: '',
  cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '',
});
const account = async (email: string, password: string | null = 'a quiet river 7') => {
  const person = { email, password, firstName: 'Mina', lastName: null, role: 'user' } as const;
  return (await ensureAccount(site.database, person)).id;
};
const linkFor = async (email: string, count = 1): Promise<string> => {
  assert.equal((await forget(email)).status, 204);
  return tokenIn((await untilMails(site, email, count)).at(-1));
};
/** Waits until every job has ended. */
async function untilNoJob(): Promise<void> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    const left = await site.owner.rows(sql`select from graphile_worker.jobs limit 1`);
    if (left.length === 0) return;
    await sleep(5);
  }
  assert.fail('a job is left');
}
/** Waits until a call has passed its checks and waits for the member's row. */
async function untilWaiting(): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const waiting = await site.owner.rows(sql`
      select from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where a.datname = current_database() and not l.granted`);
    if (waiting.length > 0) return;
    await sleep(20);
  }
  assert.fail('nobody waits');
}

describe('a forgotten password', () => {
  it('is replaced by a mailed link, which ends all sessions and works once', async () => {
    const email = 'forgetful@example.com';
    await account(email);
    const sessions = [await signIn(email, 'a quiet river 7'), await signIn(email, 'a quiet river 7')];
    const token = await linkFor(email.toUpperCase().toLowerCase());
    assert.equal((await reset(token)).status, 204);
    for (const session of sessions)
      assert.equal((await site.call('GET', '/api/user', { as: sessionOf(session) })).status, 401);
    assert.equal((await signIn(email, 'a quiet river 7')).status, 401);
    assert.equal((await signIn(email, 'a wide meadow 9')).status, 200);
    const again = await reset(token, 'another password 1');
    assert.deepEqual([again.status, again.problem.code], [422, 'wrong-code']);
    assert.equal((await signIn(email, 'another password 1')).status, 401);
    const notice = (await untilMails(site, email, 2)).at(-1);
    assert.equal(notice?.subject, 'Your Earnest password was changed');
  });
  it('sends a mail in the reader’s language, with a link and without typed text', async () => {
    const emails = { en: 'english@example.com', ko: 'korean@example.com' };
    for (const [language, email] of Object.entries(emails)) {
      const id = await account(email);
      await site.owner.rows(sql`update members.members set language = ${language} where id = ${id}`);
      await forget(email);
    }
    const [english] = await untilMails(site, emails.en, 1);
    const [korean] = await untilMails(site, emails.ko, 1);
    assert.equal(english?.subject, 'Choose a new password for Earnest');
    assert.equal(korean?.subject, 'Earnest 새 비밀번호 정하기');
    assert.match(korean?.text ?? '', /60분 동안 한 번만/);
    for (const mail of [english, korean]) {
      assert.match(mail?.text ?? '', new RegExp(`${site.origin}/reset-password\\?token=[\\w-]{43}\\n`));
      assert.ok(!mail?.text.includes('Mina'));
    }
  });
  it('opens no session for a concurrent sign-in with the old password', async () => {
    const email = 'overtaken@example.com';
    const id = await account(email);
    const late = await site.owner.transaction(async (tx) => {
      await tx.rows(sql`select from members.members where id = ${id} for update`);
      const answer = signIn(email, 'a quiet river 7');
      await untilWaiting();
      await tx.rows(sql`update members.members set password_hash = 'another' where id = ${id}`);
      return { answer };
    });
    const { status, problem } = await late.answer;
    assert.deepEqual([status, problem.code], [401, 'invalid-credentials']);
    const sessions = await site.owner.rows(sql`select from access.sessions where member_id = ${id}`);
    assert.equal(sessions.length, 0);
  });
  it('accepts one of several concurrent uses of the link', async () => {
    const email = 'racer@example.com';
    await account(email);
    const token = await linkFor(email);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => reset(token, `password nr ${index}`)),
    );
    const good = answers.map(({ status }) => status).filter((status) => status === 204);
    assert.equal(good.length, 1);
    const winner = answers.findIndex(({ status }) => status === 204);
    assert.equal((await signIn(email, `password nr ${winner}`)).status, 200);
  });
  it('voids a link when a newer one is requested', async () => {
    const email = 'twice@example.com';
    await account(email);
    const first = await linkFor(email, 1);
    const second = await linkFor(email, 2);
    assert.notEqual(first, second);
    assert.equal((await reset(first)).problem.code, 'wrong-code');
    assert.equal((await reset(second)).status, 204);
  });
  it('rejects a reset link older than one hour', async () => {
    const email = 'slow@example.com';
    await account(email);
    const token = await linkFor(email);
    await site.owner.rows(sql`update access.mail_tokens set expires_at = expires_at - interval '61 minutes'`);
    const { status, problem } = await reset(token);
    assert.deepEqual([status, problem.code], [422, 'code-expired']);
    assert.equal((await signIn(email, 'a quiet river 7')).status, 200);
  });
  it('refuses a common or short password, and keeps the link valid', async () => {
    const email = 'lazy@example.com';
    await account(email);
    const token = await linkFor(email);
    assert.equal((await reset(token, 'password1')).problem.code, 'common-password');
    assert.equal((await reset(token, '12345')).problem.detail, 'Password must be at least 6 characters');
    assert.equal((await reset(token)).status, 204);
  });
  it('rejects a link of another kind, an unknown or a malformed one', async () => {
    const email = 'verifier@example.com';
    await account(email);
    const as = sessionOf(await signIn(email, 'a quiet river 7'));
    assert.equal((await post('send-email-verification', {}, as)).status, 204);
    const token = tokenIn((await untilMails(site, email, 1))[0]);
    assert.equal((await reset(token)).problem.code, 'wrong-code');
    assert.equal((await reset('A'.repeat(43))).problem.code, 'wrong-code');
    for (const shape of ['', 'short', 'x'.repeat(200), `a'; drop table members`])
      assert.equal((await reset(shape)).problem.code, 'invalid-request');
    assert.equal((await post('verify-email', { token })).status, 204, 'it is good for what it was made for');
  });
  it('verifies the address, and opens an account without a password or locked by guesses', async () => {
    const [google, guessed] = ['by-google@example.com', 'guessed-at@example.com'];
    await account(google, null);
    await account(guessed);
    for (let tries = 0; tries < 11; tries += 1) await signIn(guessed, 'a guess');
    assert.equal((await signIn(guessed, 'a quiet river 7')).status, 429);
    for (const email of [google, guessed]) {
      assert.equal((await reset(await linkFor(email))).status, 204);
      assert.equal((await signIn(email, 'a wide meadow 9')).status, 200);
      const row = await site.owner.one<{ is_proven: boolean }>(
        sql`select email_verified_at is not null as is_proven from members.members where email = ${email}`,
      );
      assert.ok(row.is_proven);
    }
  });
  it('is stored only as a hash, like its token', async () => {
    const email = 'hashed@example.com';
    await account(email);
    const token = await linkFor(email);
    const rows = await site.owner.rows<{ line: string }>(
      sql`select t::text as line from access.mail_tokens t`,
    );
    assert.ok(rows.length > 0);
    for (const { line } of rows)
      assert.ok(!line.includes(token) && !line.includes(Buffer.from(token).toString('hex')));
  });
});

describe('whether an address has an account', () => {
  it('is revealed by neither the answer nor its stored traces', async () => {
    await account('somebody@example.com');
    const answers = [await forget('somebody@example.com'), await forget('nobody@example.com')];
    const [known, unknown] = answers.map(({ status, headers, body }) => {
      const lasting = [...headers].filter(([name]) => name !== 'date');
      return { status, body, lasting };
    });
    assert.deepEqual(known, unknown);
    await untilMails(site, 'somebody@example.com', 1);
    assert.deepEqual(await mailsTo(site, 'nobody@example.com'), []);
  });
  it('is not revealed by the time of the answer', async () => {
    await account('timed@example.com');
    const gapsMs: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const timesMs = { known: 0, unknown: 0 };
      const emails = [
        ['known', 'timed@example.com'],
        ['unknown', `untimed${round}@example.com`],
      ] as const;
      for (const [which, email] of round % 2 === 0 ? emails : emails.toReversed()) {
        // The mail to the known address would slow down the calls after it, and on a busy machine several of them.
        await untilNoJob();
        const begun = performance.now();
        await forget(email);
        timesMs[which] = performance.now() - begun;
      }
      gapsMs.push(timesMs.known - timesMs.unknown);
    }
    // Other work on the machine delays either call of a round, so neither is the slower one in nearly all rounds: by
    // chance in all but one of 20 once in 25,000 runs.
    const slowerCount = gapsMs.filter((gapMs) => gapMs > 0).length;
    const isOneSided = slowerCount < 2 || slowerCount > 18;
    const gapMs = gapsMs.sort((a, b) => a - b)[10] ?? 0;
    assert.ok(!isOneSided || Math.abs(gapMs) < 2, `${gapMs} ms, slower in ${slowerCount} of 20 rounds`);
  });
  it('sends no mail to a deleted account, and refuses its old link', async () => {
    const email = 'gone@example.com';
    const id = await account(email);
    const token = await linkFor(email);
    await site.owner.rows(
      sql`update members.members set deleted_at = now(), password_hash = null where id = ${id}`,
    );
    assert.equal((await reset(token)).problem.code, 'wrong-code');
    assert.equal((await forget(email)).status, 204);
    await linkFor(await freshMember());
    assert.equal((await mailsTo(site, email)).length, 1);
  });
});

let fresh = 0;
const freshMember = async (): Promise<string> => {
  fresh += 1;
  await account(`fresh${fresh}@example.com`);
  return `fresh${fresh}@example.com`;
};

describe('repeated requests', () => {
  it('are limited to five an hour per mailbox, known or not, and twenty per address', async () => {
    const strict = await testSite({ after }, { LIMIT_FACTOR: '1' });
    const ask = (email: string) => strict.call('POST', '/api/auth/forgot-password', { body: { email } });
    await ensureAccount(strict.database, {
      email: 'bombed@example.com',
      password: null,
      firstName: 'Mina',
      lastName: null,
      role: 'user',
    });
    for (const email of ['bombed@example.com', 'nobody@example.com']) {
      const statuses = [];
      for (let tries = 0; tries < 6; tries += 1) statuses.push((await ask(email)).status);
      assert.deepEqual(statuses, [204, 204, 204, 204, 204, 429], email);
    }
    const statuses = [];
    for (let tries = 0; tries < 10; tries += 1)
      statuses.push((await ask(`spread${tries}@example.com`)).status);
    assert.equal(statuses.filter((status) => status === 204).length, 8);
    const refused = await ask('spread@example.com');
    assert.equal(refused.problem.code, 'rate-limited');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
  });
});

describe('an account without a password', () => {
  const withoutPassword = async (): Promise<{ email: string; as: Person }> => {
    const as = await site.member();
    await site.owner.rows(sql`update members.members set password_hash = null where id = ${as.id}`);
    return { email: as.email, as };
  };
  it('§1-7 auth and security: accepts the first of ten concurrent passwords, and keeps the session', async () => {
    const { email, as } = await withoutPassword();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        post('set-password', { newPassword: `first password ${index}` }, as),
      ),
    );
    const codes = answers.map(({ status, problem }) => (status === 204 ? 204 : problem.code));
    assert.deepEqual(codes.sort(), [204, ...Array.from({ length: 9 }, () => 'has-password')]);
    const winner = answers.findIndex(({ status }) => status === 204);
    assert.equal((await signIn(email, `first password ${winner}`)).status, 200);
    assert.equal((await site.call('GET', '/api/user', { as })).status, 200);
    assert.equal((await untilMails(site, email, 1)).length, 1);
    assert.equal((await post('set-password', { newPassword: 'a second one 22' }, as)).status, 409);
  });
  it('refuses a password from a session that a sign-in with Google has just ended', async () => {
    const { as } = await withoutPassword();
    const late = await site.owner.transaction(async (tx) => {
      await tx.rows(sql`select from members.members where id = ${as.id} for update`);
      const answer = post('set-password', { newPassword: 'of somebody else 1' }, as);
      await untilWaiting();
      await tx.rows(sql`delete from access.sessions where member_id = ${as.id}`);
      return { answer };
    });
    const { status, problem } = await late.answer;
    assert.deepEqual([status, problem.code], [401, 'unauthenticated']);
    const row = await site.owner.one<{ is_open: boolean }>(
      sql`select password_hash is null as is_open from members.members where id = ${as.id}`,
    );
    assert.ok(row.is_open);
  });
  it('refuses a common or short one, and calls without a session', async () => {
    const { as } = await withoutPassword();
    assert.equal(
      (await post('set-password', { newPassword: 'password1' }, as)).problem.code,
      'common-password',
    );
    assert.equal((await post('set-password', { newPassword: '12345' }, as)).status, 400);
    assert.equal((await post('set-password', { newPassword: 'a quiet river 7' })).status, 401);
  });
});
