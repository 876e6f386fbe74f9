import { existsSync } from 'node:fs';
import type { CoinSimulation } from '../withdrawals/rails/coin/simulation.ts';
import { rails } from '../withdrawals/rails/registry.ts';

/** The coins of all registered rails whose folder has a `simulation.ts`. The sandbox runs a node for each. */
export type SimulatedCoin = CoinSimulation & { id: string; name: string };

const simulationOf = (id: string): URL =>
  new URL(`../withdrawals/rails/${id}/simulation.ts`, import.meta.url);

export const coins: readonly SimulatedCoin[] = await Promise.all(
  rails
    .filter(({ id }) => existsSync(simulationOf(id)))
    .map(async ({ id, name }) => {
      const { simulation } = (await import(simulationOf(id).href)) as { simulation: CoinSimulation };
      return { ...simulation, id, name };
    }),
);

/** The coin of a registered rail. */
export function readCoin(id: string): SimulatedCoin {
  const coin = coins.find((one) => one.id === id);
  if (coin === undefined) throw new Error(`There is no coin ${id}`);
  return coin;
}
