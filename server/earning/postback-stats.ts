import type { readPostbackStats } from '#contract/earning-postbacks.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Platform } from '#platform/platform.ts';
import { readToday } from './call-sum-queries.ts';
import { findLastCall, readWronglySigned } from './postback-queries.ts';
import { matchOf, readInspected } from './postback-view.ts';
import { readRawText } from './providers/raw-query.ts';
import { readQuarantineWait } from './waiting.ts';

/** The operators' figures of providers' calls. The day's are sums that each node adds to once a second. */

/** Among how many calls, and from how many on, wrong signatures are told. Anyone can send a few. */
const AMONG_MAX = 1_000;
const WRONG_MIN = 3;

export async function readStatsOfCalls(platform: Platform): Promise<ReplyOf<typeof readPostbackStats>> {
  const { database } = platform;
  const [sums, waiting, last, wrong, known] = await Promise.all([
    readToday(database),
    readQuarantineWait(database),
    findLastCall(database),
    readWronglySigned(database, AMONG_MAX, WRONG_MIN),
    readInspected(platform),
  ]);
  const callsOf = (wanted: string) => Number(sums.find(({ outcome }) => outcome === wanted)?.calls ?? 0n);
  return {
    today: sums.reduce((count, { calls }) => count + Number(calls), 0),
    booked: callsOf('booked'),
    bookedAmount: String(sums.reduce((points, sum) => points + sum.points, 0n)),
    refused: callsOf('refused'),
    held: callsOf('held'),
    repeated: callsOf('repeated'),
    quarantined: waiting.count,
    lastAt: last?.at.toISOString() ?? null,
    wronglySigned: wrong.flatMap(({ provider: id, count, since, newestRaw }) => {
      const provider = known.get(id);
      if (provider === undefined) return [];
      return [
        {
          provider: id,
          providerName: provider.row.name,
          count: Number(count),
          since: since.toISOString(),
          matches: matchOf(provider, readRawText(newestRaw).raw),
        },
      ];
    }),
  };
}
