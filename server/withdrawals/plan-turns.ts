import { setTimeout as sleep } from 'node:timers/promises';
import { sentence } from '#contract/operator-sentences.ts';
import type { Platform } from '#platform/platform.ts';
import { Refusal } from '#platform/refusal.ts';

/**
 * Limits what judges all pending requests: plans of them, and lists of those with a flag. Each is made one at a time
 * for an operator, and two for a site on each node. More would use up the connections that members' calls need.
 */
const TURNS_MAX = 2;
const RETRY_AFTER_S = 2;
/** A list waits a while for its turn, without a connection: who chooses one filter after another asks twice. */
const LIST_WAIT_MS = 2_000;
const LIST_POLL_MS = 50;
const WAITING_LISTS_MAX = 2;

/** The operators whose turn it is, and of lists those who wait, by the site's database. */
type Turns = { atWork: Set<number>; waiting: number[] };
const [plans, lists] = [new WeakMap<object, Turns>(), new WeakMap<object, Turns>()];
type Busy = 'own-plan-unfinished' | 'other-plans-unfinished';
type Parts = Pick<Platform, 'database'>;

function turnsOf(kind: WeakMap<object, Turns>, { database }: Parts): Turns {
  const turns = kind.get(database) ?? { atWork: new Set(), waiting: [] };
  kind.set(database, turns);
  return turns;
}

/** Makes a plan in its turn. @throws Refusal `rate-limited` */
export const inPlanTurn = <Plan>(
  parts: Parts,
  operatorId: number,
  make: () => Promise<Plan>,
): Promise<Plan> => inTurn(turnsOf(plans, parts), operatorId, make);

/** Reads a list in its turn, for which it waits a while. @throws Refusal `rate-limited` */
export async function inListTurn<List>(
  parts: Parts,
  operatorId: number,
  read: () => Promise<List>,
): Promise<List> {
  const turns = turnsOf(lists, parts);
  const giveUpAt = performance.now() + LIST_WAIT_MS;
  const isTooMany = turns.waiting.filter((id) => id === operatorId).length >= WAITING_LISTS_MAX;
  if (isTooMany) throw busy('own-plan-unfinished');
  turns.waiting.push(operatorId);
  try {
    while (obstacleTo(turns, operatorId) !== undefined && performance.now() < giveUpAt)
      await sleep(LIST_POLL_MS);
  } finally {
    turns.waiting.splice(turns.waiting.indexOf(operatorId), 1);
  }
  return inTurn(turns, operatorId, read);
}

function obstacleTo({ atWork }: Turns, operatorId: number): Busy | undefined {
  if (atWork.has(operatorId)) return 'own-plan-unfinished';
  return atWork.size >= TURNS_MAX ? 'other-plans-unfinished' : undefined;
}

async function inTurn<Made>(turns: Turns, operatorId: number, make: () => Promise<Made>): Promise<Made> {
  const obstacle = obstacleTo(turns, operatorId);
  if (obstacle !== undefined) throw busy(obstacle);
  turns.atWork.add(operatorId);
  try {
    return await make();
  } finally {
    turns.atWork.delete(operatorId);
  }
}

const busy = (name: Busy) => new Refusal('rate-limited', sentence(name), {}, RETRY_AFTER_S);
