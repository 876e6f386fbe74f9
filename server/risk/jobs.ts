import { readClock } from '#platform/clock.ts';
import type { Platform } from '#platform/platform.ts';
import { repeat } from '#platform/repeat.ts';
import { type ScoreSources, scoreNextSessions } from './session-scores.ts';
import { lookForAbuse, type SignalSources } from './signals.ts';

/**
 * Runs the rules in the background. Each node looks at some members a minute, from the first to the last and again. Two
 * nodes that find the same record it once. Then sessions get their scores.
 */
const LOOKED_EVERY_MS = 60_000;

export function startSignals(
  platform: Pick<Platform, 'database' | 'settings' | 'log' | 'health' | 'networks'>,
  sources: SignalSources & ScoreSources,
): { close: () => Promise<void> } {
  const closing = new AbortController();
  let reached = 0;
  let scored = 0;
  const loop = repeat(platform, closing.signal, {
    name: 'risk-signals',
    everyMs: LOOKED_EVERY_MS,
    work: async () => {
      const { now } = await readClock(platform.database);
      reached = (await lookForAbuse(platform, sources, { after: reached, now })) ?? 0;
      scored = (await scoreNextSessions(platform, sources, scored)) ?? 0;
    },
  });
  return {
    close: async () => {
      closing.abort();
      await loop;
    },
  };
}
