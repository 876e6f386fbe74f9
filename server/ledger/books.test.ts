import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { sentence } from '#contract/operator-sentences.ts';
import { advanceClock } from '#platform/clock.ts';
import { sql } from '#platform/database.ts';
import { createHealth } from '#platform/health.ts';
import { processName } from '#platform/leases.ts';
import { createMetrics } from '#platform/metrics.ts';
import { silentLog, testSite } from '../../test/site.ts';
import { advanceIntoSiteDay } from '../../test/site-day.ts';
import { siteChecks } from '../books.ts';
import { auditSite, planAudits, reportLastAudit, runDueAudits } from './books.ts';
import { observeAudits } from './jobs.ts';
import { type BooksCheck, postAll } from './ledger.ts';
import { keepTrialBalance } from './trial-balance.ts';

const site = await testSite({ after });
const { database, owner, call } = site;
// Just before the hour of the nightly audit, that one would be due as well.
await advanceIntoSiteDay(owner);
const operator = await site.member({ role: 'admin' });
const member = await site.member({ balancePoints: 1_000n });
const { signal } = new AbortController();
const log = silentLog();
const platform = { database, log, health: createHealth(log) };

const run = (checks: readonly BooksCheck[] = siteChecks) =>
  runDueAudits(platform, checks, { share: 1, signal });
const books = async (as = operator) => (await call('GET', '/api/admin/books', { as })).body;
const audits = () =>
  owner.rows<{ cause: string; isStarted: boolean; isFinished: boolean }>(sql`
    select cause, started_at is not null as "isStarted", finished_at is not null as "isFinished"
    from ledger.audits order by id`);

beforeEach(async () => {
  await owner.rows(sql`delete from ledger.audits`);
  await owner.rows(sql`delete from platform.leases`);
});

/** A check that finds what it is told, or throws. */
const checkOf = (found: string[] | Error): BooksCheck => ({
  name: 'planted',
  async *pieces() {
    if (found instanceof Error) throw found;
    yield found.map((subject) => ({ check: 'planted', subject, expected: '1', actual: '2' }));
  },
});

test('sets a night back that a wrong clock put far ahead', async () => {
  await planAudits(database, false);
  await owner.rows(sql`update ledger.audits set due_at = due_at + interval '3 years'`);
  await planAudits(database, false);
  const { hours } = await owner.one<{ hours: number }>(sql`
    select extract(epoch from due_at - platform.business_now())::integer / 3600 as hours from ledger.audits`);
  assert.ok(hours < 25, String(hours));
});

test('makes each audit once on a site of two nodes, and again if its process ended', async () => {
  let made = 0;
  const counting: BooksCheck = {
    name: 'counting',
    async *pieces() {
      made += 1;
      yield [];
    },
  };
  await call('POST', '/api/admin/books/audit', { as: operator });
  await Promise.all([run([counting]), run([counting])]);
  assert.equal(made, 1);
  await call('POST', '/api/admin/books/audit', { as: operator });
  await owner.rows(sql`update ledger.audits set started_at = now() where finished_at is null`);
  await run([counting]);
  assert.equal(made, 2);
});

test('keeps no result after its lease was lost', async () => {
  await call('POST', '/api/admin/books/audit', { as: operator });
  const losing: BooksCheck = {
    name: 'losing',
    async *pieces() {
      await owner.rows(sql`update platform.leases set token = token + 1, holder = ${`not ${processName}`}`);
      yield [];
    },
  };
  await run([losing]);
  assert.deepEqual(await audits(), [{ cause: 'operator', isStarted: true, isFinished: false }]);
});

test('shows operators what it found, reports it to health, and takes the report back', async () => {
  const asked = await call('POST', '/api/admin/books/audit', { as: operator });
  assert.equal(asked.status, 202);
  assert.equal(asked.body.cause, 'operator');
  const again = await call('POST', '/api/admin/books/audit', { as: operator });
  assert.equal(again.body.id, asked.body.id, 'one audit waits');
  await owner.rows(sql`update ledger.wallets set balance = balance + 1 where member_id = ${member.id}`);
  await run();
  await owner.rows(sql`update ledger.wallets set balance = balance - 1 where member_id = ${member.id}`);
  await reportLastAudit(platform);
  const { lastAudit, audits: listed } = await books();
  assert.equal(lastAudit.id, asked.body.id);
  assert.equal(lastAudit.findings, 2);
  assert.deepEqual(
    lastAudit.differences.map(({ check }: { check: string }) => check),
    ['wallets', 'trial-balance'],
  );
  assert.equal(lastAudit.differences[0].subject, String(member.id));
  assert.equal(listed[0].findings, 2);
  const [trouble] = platform.health.troubles();
  assert.equal(trouble?.name, 'audit');
  assert.match(trouble?.trouble ?? '', /found 2 differences/);

  await call('POST', '/api/admin/books/audit', { as: operator });
  await run();
  await reportLastAudit(platform);
  assert.deepEqual(platform.health.troubles(), []);
  for (const [method, path] of [
    ['GET', '/api/admin/books'],
    ['POST', '/api/admin/books/audit'],
  ] as const)
    assert.equal((await call(method, path, { as: member })).status, 403);
});

test('shows a former audit with its differences, and no audit that has not ended', async () => {
  const readAudit = (id: string) => call('GET', `/api/admin/books/audits/${id}`, { as: operator });
  const asked = await call('POST', '/api/admin/books/audit', { as: operator });
  assert.equal((await readAudit(asked.body.id)).status, 404);
  const compared = {
    method: 'litecoin',
    currency: 'LTC',
    books: '1.5',
    listed: '1.25',
    difference: '-0.25',
    days: 35,
  };
  const comparing: BooksCheck = {
    name: 'comparing',
    async *pieces() {
      yield [];
      yield { compared };
    },
  };
  await run([checkOf(['row 1']), comparing]);
  await call('POST', '/api/admin/books/audit', { as: operator });
  await run([checkOf([])]);
  const { body } = await readAudit(asked.body.id);
  assert.deepEqual(
    body.differences.map(({ subject }: { subject: string }) => subject),
    ['row 1'],
  );
  assert.deepEqual(body.checks, [
    { name: 'planted', pieces: 1, findings: 1, notChecked: null, isFailed: false, compared: null },
    { name: 'comparing', pieces: 1, findings: 0, notChecked: null, isFailed: false, compared },
  ]);
});

test('keeps at most 1,000 differences and counts all', async () => {
  await call('POST', '/api/admin/books/audit', { as: operator });
  await run([checkOf(Array.from({ length: 1_200 }, (_, index) => `row ${index}`))]);
  const { lastAudit } = await books();
  assert.equal(lastAudit.findings, 1_200);
  assert.equal(lastAudit.differences.length, 1_000);
});

test('names a check that could not be made, and makes the others', async () => {
  await call('POST', '/api/admin/books/audit', { as: operator });
  await run([checkOf(new Error('no answer')), checkOf(['row'])]);
  await reportLastAudit(platform);
  const { lastAudit } = await books();
  assert.equal(lastAudit.checks[0].notChecked, 'The check failed: no answer');
  assert.equal(lastAudit.checks[0].isFailed, true);
  assert.equal(lastAudit.findings, 1);
  assert.equal(platform.health.troubles().length, 1);
});

test('tells a check that failed from what an outside party says', async () => {
  await call('POST', '/api/admin/books/audit', { as: operator });
  const refused: BooksCheck = {
    name: 'rail-litecoin',
    async *pieces() {
      yield { notChecked: 'The check failed: so says the node.' };
    },
  };
  await run([refused, checkOf(new Error('no answer'))]);
  await reportLastAudit(platform);
  const [trouble] = platform.health.troubles();
  assert.equal(trouble?.trouble, sentence('books-not-checked', { checkCount: 1 }));
  await call('POST', '/api/admin/books/audit', { as: operator });
  await run([refused]);
  await reportLastAudit(platform);
  const [leftOut] = platform.health.troubles();
  assert.match(
    leftOut?.trouble ?? '',
    /left out a part\. rail-litecoin: The check failed: so says the node\.$/,
  );
});

test('tells health what an audit left out', async () => {
  await call('POST', '/api/admin/books/audit', { as: operator });
  const partly: BooksCheck = {
    name: 'rail-litecoin',
    async *pieces() {
      yield { notChecked: 'A former account paid some payouts.' };
    },
  };
  await run([partly]);
  await reportLastAudit(platform);
  assert.deepEqual(platform.health.troubles(), [
    {
      ...platform.health.troubles()[0],
      name: 'audit',
      trouble: 'The last audit left out a part. rail-litecoin: A former account paid some payouts.',
    },
  ]);
});

test('finds no difference while members earn, and pauses between pieces', async () => {
  const ending = new AbortController();
  let posted = 0;
  const earning = (async () => {
    while (!ending.signal.aborted) {
      posted += 50;
      await postAll(
        database,
        Array.from({ length: 50 }, (_, index) => ({
          memberId: index % 2 === 0 ? member.id : operator.id,
          key: `beside:${posted}-${index}`,
          kind: 'grant' as const,
          amountPoints: 1n,
          account: 'grants',
          subject: 'Beside the audit',
          provider: null,
          transactionId: null,
        })),
      );
    }
  })();
  const startedAtMs = performance.now();
  let readMs = 0;
  for (let round = 0; round < 5; round += 1) {
    const result = await auditSite({ database, log }, siteChecks);
    assert.deepEqual(result.differences, []);
    readMs = (performance.now() - startedAtMs) / (round + 1);
  }
  const throttledAtMs = performance.now();
  await auditSite({ database, log }, siteChecks, { share: 0.2, signal });
  assert.ok(performance.now() - throttledAtMs > 2 * readMs, 'four fifths of the time are pauses');
  ending.abort();
  await earning;
  assert.ok(posted > 500, String(posted));
});

test('runs an audit soon after a start and in each night, and keeps its result', async () => {
  await planAudits(database, true);
  await planAudits(database, true);
  await run();
  const waiting = { isStarted: false, isFinished: false };
  const done = { isStarted: true, isFinished: true };
  assert.deepEqual(await audits(), [
    { cause: 'start', ...waiting },
    { cause: 'night', ...waiting },
  ]);
  await advanceClock(owner, 30n);
  await run();
  assert.deepEqual(await audits(), [
    { cause: 'start', ...done },
    { cause: 'night', ...waiting },
  ]);
  const { hour, hours } = await owner.one<{ hour: number; hours: number }>(sql`
    select extract(hour from due_at at time zone c.site_timezone)::integer as hour,
      extract(epoch from due_at - platform.business_now())::integer / 3600 as hours
    from ledger.audits, platform.site_clock c where cause = 'night'`);
  assert.equal(hour, 4);
  assert.ok(hours < 25, String(hours));
  await advanceClock(owner, 86_400n);
  await run();
  await planAudits(database, false);
  assert.deepEqual(
    (await audits()).map(({ cause, isFinished }) => [cause, isFinished]),
    [
      ['start', true],
      ['night', true],
      ['night', false],
    ],
  );
  await keepTrialBalance(database);
  // A day later the operator's session has ended.
  const { lastAudit, sum, accounts } = await books(await site.member({ role: 'admin' }));
  assert.equal(sum, '0');
  assert.ok(accounts.some(({ account }: { account: string }) => account === 'members'));
  assert.equal(lastAudit.findings, 0);
  assert.deepEqual(lastAudit.differences, []);
  assert.deepEqual(
    lastAudit.checks.map(({ name }: { name: string }) => name),
    siteChecks.map(({ name }) => name),
  );
  for (const { pieces, notChecked } of lastAudit.checks) assert.ok(pieces >= 0 && notChecked === null);
});

test('shows what the last audit found, and its age, as metrics', async () => {
  const metrics = createMetrics();
  observeAudits({ database, log, metrics });
  const read = async () =>
    (await metrics.registry.metrics()).split('\n').filter((line) => /^earnest_a/.test(line));
  assert.deepEqual(await read(), [], 'no audit has ended');
  await planAudits(database, true);
  await owner.rows(sql`update ledger.audits set due_at = platform.business_now()`);
  await run([checkOf(['one', 'another'])]);
  const [findings, age] = await read();
  assert.equal(findings, 'earnest_audit_findings 2');
  assert.match(age ?? '', /^earnest_audit_age_seconds 0\.\d+$/);
});
