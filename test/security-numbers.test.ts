import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BET_POINTS_MAX } from '#contract/coinflip.ts';
import { POINTS_PER_USD } from '#contract/points.ts';
import { defaultSettings } from '#platform/settings.ts';
import { CEILING_POINTS_MIN } from '../server/earning/ceilings.ts';
import { REQUESTS_A_DAY_MAX } from '../server/withdrawals/withdrawals.ts';
import { root } from './source-tree.ts';

/** What SECURITY.md says that a theft can take in a day, by the bounds of live mode. */
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const security = textOf('SECURITY.md').replace(/\s+/g, ' ');
const { caps, switches, providerCeilingTimes } = defaultSettings.live;
const wholes = new Intl.NumberFormat('en');

/** A count of points as the document writes it, with its dollars. */
function said(points: bigint, cents: boolean): string {
  const dollars = Number(points) / Number(POINTS_PER_USD);
  return `${wholes.format(points)} points ($${cents ? dollars.toFixed(2) : wholes.format(dollars)})`;
}
const alone = BigInt(caps.secondPersonFrom ?? 0) - 1n;

test('SECURITY.md has the caps of a day, of a method and of a member', () => {
  assert.ok(security.includes(`at most ${said(BigInt(caps.methodDay ?? 0), false)} by each method`));
  assert.ok(security.includes(`the balance, at most ${said(BigInt(caps.memberDay ?? 0), false)}`));
  assert.ok(security.includes(`at most ${REQUESTS_A_DAY_MAX} requests`));
  assert.equal(switches.addressHold, true);
  const holds = textOf('server/withdrawals/functions.sql').match(/interval '24 hours'/g);
  assert.equal(holds?.length, 3, 'a new address, and a change of what protects the account');
});

test('SECURITY.md has what one operator moves alone', () => {
  assert.ok(security.includes(`pays ${said(alone, true)} to accomplices`));
  assert.ok(security.includes(`takes ${said(alone, true)} from members`));
  assert.ok(
    security.includes(`makes ${wholes.format(alone)} points by grants and ${wholes.format(alone)} by held`),
  );
  assert.ok(security.includes(`${wholes.format(2n * alone)} ($100.00)`));
});

test('SECURITY.md has what a provider’s secret makes', () => {
  assert.ok(security.includes(`makes ${said(CEILING_POINTS_MIN, false)} of that provider`));
  assert.equal(providerCeilingTimes, 10, 'ten times its best day');
  const [, held = ''] =
    /hold_points\(\)[^;]*return (\d+);/.exec(textOf('server/earning/functions.sql')) ?? [];
  assert.ok(security.includes(`in credits below ${wholes.format(BigInt(held))} points each`));
});

test('SECURITY.md has what a session loses by flips', () => {
  const [, games = ''] =
    /max_games_per_day integer not null default (\d+)/.exec(textOf('server/migrations/0008_coinflip.sql')) ??
    [];
  assert.ok(security.includes(`${games} games of at most ${BET_POINTS_MAX} points`));
  assert.ok(security.includes(`up to ${said(BigInt(games) * BigInt(BET_POINTS_MAX), true)}`));
});
