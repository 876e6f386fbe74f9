import { sentence } from '#contract/operator-sentences.ts';
import type { Platform } from '#platform/platform.ts';
import { repeat } from '#platform/repeat.ts';
import { keepBalanceDays, keepPaidDays } from './days.ts';
import { observeWithdrawals } from './metrics.ts';
import { type Method, type MethodParts, readMethodList, setUpRail } from './payment-methods.ts';
import { findAccountTrouble } from './payout-comparison.ts';
import { readPayingMethods } from './queries.ts';
import type { Rail, RailState, RailStates } from './rails/rail.ts';

/**
 * Asks the outside party of each method that is enabled or has unfinished payouts, again and again, whether it can pay.
 * So an operator learns from health and metrics that an account can't be reached or is nearly empty, and not from the
 * first payout that waits. It sends nothing.
 */
type WatchParts = Pick<Platform, 'database' | 'config' | 'secrets' | 'log' | 'health'>;

export function createRailWatch(platform: WatchParts) {
  let states: RailStates = new Map();
  return {
    states: () => states,
    /** Looks at every method that may have to pay. One that can't is reported to health under `rail-METHOD`. */
    look: async (): Promise<void> => {
      const watched = await readMethodsToWatch(platform);
      const found = await Promise.all(
        watched.map(async (method) => [method.definition.id, await readRailState(platform, method)] as const),
      );
      for (const id of states.keys()) if (!found.some(([method]) => method === id)) report(platform, id);
      for (const [id, state] of found) report(platform, id, state);
      states = new Map(found);
    },
  };
}

/** Reads the methods that may have to pay by a rail, in the registry's order. */
export async function readMethodsToWatch(parts: Pick<MethodParts, 'database'>): Promise<Method[]> {
  const paying = new Set((await readPayingMethods(parts.database)).map(({ method }) => method));
  return (await readMethodList(parts)).filter(
    ({ definition: { id, connect }, row }) => (row.isEnabled || paying.has(id)) && connect !== null,
  );
}

const NOT_OFFERED = sentence('method-not-offered');

/** Asks the rail of a method whether it can pay, from the account that paid before. Sends and notes nothing. */
export async function readRailState(parts: MethodParts, { definition, row }: Method): Promise<RailState> {
  const setup = await setUpRail(parts, definition.id);
  if (setup.kind === 'usable') return stateOfRail(parts, definition.id, setup.rail);
  return { kind: 'unavailable', reason: row.isEnabled ? `${setup.reason} ${NOT_OFFERED}` : setup.reason };
}

async function stateOfRail({ database }: MethodParts, method: string, rail: Rail): Promise<RailState> {
  const state = await rail.check();
  if (state.kind === 'unavailable') return state;
  // Another account is well by itself, and pays nothing.
  const reason = await findAccountTrouble(database, rail, method, new Date());
  return reason === undefined ? state : { kind: 'unavailable', reason };
}

const report = ({ health }: WatchParts, method: string, state?: RailState): void =>
  void health.report(`rail-${method}`, state?.kind === 'unavailable' ? state.reason : undefined);

const LOOKS_EVERY_MS = 60_000;

/** Looks at the rails once a minute, shows what is found as metrics, and keeps it and what was paid for the day. */
export function startRailWatch(platform: WatchParts & Pick<Platform, 'metrics'>): { close(): Promise<void> } {
  const closing = new AbortController();
  const watch = createRailWatch(platform);
  observeWithdrawals(platform, watch.states);
  const work = async () => {
    await watch.look();
    await keepBalanceDays(platform, watch.states());
    await keepPaidDays(platform.database);
  };
  const loop = repeat(platform, closing.signal, { name: 'rails', everyMs: LOOKS_EVERY_MS, work });
  return {
    close: async () => {
      closing.abort();
      await loop;
    },
  };
}
