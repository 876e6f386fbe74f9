import type { Platform } from '#platform/platform.ts';
import { repeat } from '#platform/repeat.ts';
import { observeWithdrawals } from './metrics.ts';
import { readMethodList, setUpRail } from './payment-methods.ts';
import type { RailState, RailStates } from './rails/rail.ts';

/**
 * Asks the outside party of each enabled method, again and again, whether it can pay. So an operator learns from health
 * and metrics that an account can't be reached or is nearly empty, and not from the first payout that waits. It sends
 * nothing.
 */
type WatchParts = Pick<Platform, 'database' | 'config' | 'secrets' | 'log' | 'health'>;

export function createRailWatch(platform: WatchParts) {
  let states: RailStates = new Map();
  return {
    states: () => states,
    /** Looks at every enabled method. A method that can't pay is reported to health under `rail-METHOD`. */
    look: async (): Promise<void> => {
      const enabled = (await readMethodList(platform)).filter(
        ({ definition, row }) => row.isEnabled && definition.connect !== null,
      );
      const found = await Promise.all(
        enabled.map(async ({ definition: { id } }) => [id, await stateOf(platform, id)] as const),
      );
      for (const id of states.keys()) if (!found.some(([method]) => method === id)) report(platform, id);
      for (const [id, state] of found) report(platform, id, state);
      states = new Map(found);
    },
  };
}

const NOT_OFFERED = 'The method is switched on, but members are not offered it.';

async function stateOf(platform: WatchParts, method: string): Promise<RailState> {
  const setup = await setUpRail(platform, method);
  if (setup.kind === 'unusable') return { kind: 'unavailable', reason: `${setup.reason} ${NOT_OFFERED}` };
  return setup.rail.check();
}

const report = ({ health }: WatchParts, method: string, state?: RailState): void =>
  health.report(`rail-${method}`, state?.kind === 'unavailable' ? state.reason : undefined);

const LOOKS_EVERY_MS = 60_000;

/** Looks at the rails once a minute, and shows what is found as metrics. */
export function startRailWatch(platform: WatchParts & Pick<Platform, 'metrics'>): { close(): Promise<void> } {
  const closing = new AbortController();
  const watch = createRailWatch(platform);
  observeWithdrawals(platform, watch.states);
  const loop = repeat(platform, closing.signal, { name: 'rails', everyMs: LOOKS_EVERY_MS, work: watch.look });
  return {
    close: async () => {
      closing.abort();
      await loop;
    },
  };
}
