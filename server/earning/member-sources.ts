import type { MovementKind } from '#contract/movement-kinds.ts';
import { readClock } from '#platform/clock.ts';
import type { Reader } from '#platform/database.ts';
import { readProviderSums } from '../ledger/ledger.ts';
import * as queries from './member-sources-queries.ts';
import { readProviderNames } from './provider-settings.ts';

/**
 * Where the points of a member came from, before a decision about them. The newest credits are read, a bounded number,
 * and of each provider the day sums of the books: no read takes longer for a member with a long history. A kept sum of
 * each member and provider would cost every credit a row.
 */

/** Credits are looked for among these newest movements. */
const MOVEMENTS_MAX = 1_000;
const RATE_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

export type MemberSources = {
  creditCount: number;
  since: Date | null;
  isWhole: boolean;
  rows: {
    kind: MovementKind;
    provider: string | null;
    providerName: string | null;
    points: string;
    earnings: number;
    reversedPoints: string;
    all: { earned: string; reversed: string } | null;
  }[];
};

export async function readMemberSources(
  reader: Reader,
  memberId: number,
  creditsMax: number,
): Promise<MemberSources> {
  const [rows, names, { siteDay }] = await Promise.all([
    queries.readSources(reader, memberId, creditsMax, MOVEMENTS_MAX),
    readProviderNames(reader),
    readClock(reader),
  ]);
  const ids = rows.flatMap(({ provider }) => (provider === null ? [] : [provider]));
  const from = new Date(Date.parse(siteDay) - (RATE_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const sums = await readProviderSums(reader, ids, from);
  const times = rows.flatMap(({ since }) => (since === null ? [] : [since.getTime()]));
  return {
    creditCount: rows.reduce((count, row) => count + Number(row.creditCount), 0),
    since: times.length === 0 ? null : new Date(Math.min(...times)),
    isWhole: rows[0]?.isWhole ?? false,
    rows: rows.map(({ kind, provider, points, takenPoints, creditCount }) => ({
      kind,
      provider,
      providerName: provider === null ? null : (names.get(provider) ?? provider),
      points,
      earnings: Number(creditCount),
      reversedPoints: takenPoints,
      all: provider === null ? null : rateOf(sums, provider),
    })),
  };
}

/** What a provider gave to all members and took back. */
function rateOf(sums: Awaited<ReturnType<typeof readProviderSums>>, provider: string) {
  const sum = sums.find((one) => one.provider === provider);
  return { earned: sum?.earned ?? '0', reversed: sum?.reversed ?? '0' };
}

export const listReversalsSince = queries.listReversalsSince;
