import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isTest, planted, readTree, root, type Source } from './source-tree.ts';

/**
 * No test reads today's date: what it expects would hold on some days only. A test passes the time in, asks the
 * database for it, or measures with `performance.now()`. The files below read the clock for the reason above them.
 */
const exempt: Record<string, readonly string[]> = {
  'asks whether a time is about now, before or after it': [
    'server/access/access.test.ts',
    'server/earning/catalogue.test.ts',
    'server/earning/connection.test.ts',
    'server/ledger/reads.test.ts',
    'server/members/accounts.test.ts',
    'server/members/display-rates.test.ts',
    'server/platform/http/operations.test.ts',
    'server/system.test.ts',
    'server/withdrawals/background.test.ts',
    'server/withdrawals/found-later-campaign.test.ts',
    'server/withdrawals/payout-list.test.ts',
    'server/withdrawals/rates.test.ts',
    'server/withdrawals/withdrawals.test.ts',
    'test/site-proposals.site.test.ts',
  ],
  'needs a time so many hours or days from now': [
    'server/access/google.test.ts',
    'server/ledger/audit.test.ts',
    'server/members/suspensions.test.ts',
    'server/retention.test.ts',
    'server/withdrawals/rails/every-rail.test.ts',
    'server/withdrawals/records-of-nodes-campaign.test.ts',
    'server/withdrawals/restored-holds-campaign.test.ts',
    'test/approvals.e2e.test.ts',
    'test/ways.e2e.test.ts',
  ],
  'needs any time in a row or an answer': [
    'server/withdrawals/old-withdrawals.test.ts',
    'server/withdrawals/payout-given-up.test.ts',
    'server/withdrawals/payout-own-payments.test.ts',
    'server/withdrawals/payout-settling.test.ts',
    'server/withdrawals/payout-states.test.ts',
    'server/withdrawals/request-accounted.test.ts',
    'test/new-rail/iou/rail.ts',
    'test/system.e2e.test.ts',
    'test/withdrawals-world.ts',
  ],
  'names a file by its day in UTC, as the record of sent payments does': [
    'server/withdrawals/record-reads.test.ts',
    'server/withdrawals/sent-payments.test.ts',
  ],
  'stops the clock of a page ahead of its own time': ['test/people.e2e.test.ts'],
  'waits until a deadline': ['test/litecoind.ts', 'test/panel.e2e.test.ts'],
  'finds the time that is left until another moment': ['test/calendar.ts'],
  'plants violations': ['test/dates-tidy.test.ts'],
};

const ofNow = /\bDate\.now\(|\bnew Date\b(?!\()|\b(new )?Date\(\s*\)|\bTemporal\.Now\b/;
/** `now()` and others are fine as a time in a row, but not as a date. */
const ofToday = /\b(current_date|current_time|localtime(stamp)?)\b|\b(now|clock_timestamp)\(\)::date\b/i;

const isOfTests = (path: string): boolean =>
  isTest(path) && !path.startsWith('bench/') && !path.endsWith('.css');

function readsOf(sources: readonly Source[]): { path: string; fault: string }[] {
  return sources
    .filter(({ path }) => isOfTests(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          ofNow.test(line) || ofToday.test(line)
            ? [{ path, fault: `${path}:${index + 1}: ${line.trim()}` }]
            : [],
        ),
    );
}

const sources = ['contract', 'server', 'web', 'test'].flatMap((folder) => readTree(join(root, folder)));
const exemptFiles = Object.values(exempt).flat();

describe('a test', () => {
  it('reads today’s date nowhere', () => {
    const faults = readsOf(sources).filter(({ path }) => !exemptFiles.includes(path));
    assert.deepEqual(
      faults.map(({ fault }) => fault),
      [],
    );
  });
  it('that may read the clock does', () => {
    const reading = new Set(readsOf(sources).map(({ path }) => path));
    assert.deepEqual(
      exemptFiles.filter((path) => !reading.has(path)),
      [],
    );
  });
});

describe('the guard', () => {
  it('refuses a test that reads the clock of its process, or the date of the database', () => {
    for (const text of [
      'const today = new Date().toISOString().slice(0, 10);',
      'const today = Math.floor(Date.now() / 86_400_000);',
      'const today = new Date;',
      'const today = Date();',
      'await sql`select current_date`;',
      'await sql`select now()::date`;',
    ])
      assert.equal(readsOf(planted('server/earning/days.test.ts', text)).length, 1, text);
  });
  it('allows a date that is written there, a time in a row, and a measured duration', () => {
    for (const text of [
      "const day = new Date('2028-02-29');",
      'const startedAt = performance.now();',
      'await sql`update members.members set deleted_at = now()`;',
      'const { today } = await sql`select platform.site_day(platform.business_now())`;',
    ])
      assert.deepEqual(readsOf(planted('server/earning/days.test.ts', text)), [], text);
    assert.deepEqual(readsOf(planted('server/earning/days.ts', 'Date.now()')), [], 'no test');
  });
});
