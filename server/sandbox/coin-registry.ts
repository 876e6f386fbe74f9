import { existsSync } from 'node:fs';
import type { CoinFarEnd } from '../withdrawals/rails/coin/far-end.ts';
import { rails } from '../withdrawals/rails/registry.ts';

/** The coins of all registered rails whose folder has a `far-end.ts`. The sandbox runs a node for each. */
export type SimulatedCoin = CoinFarEnd & { id: string; name: string };

const farEndOf = (id: string): URL => new URL(`../withdrawals/rails/${id}/far-end.ts`, import.meta.url);

export const coins: readonly SimulatedCoin[] = await Promise.all(
  rails
    .filter(({ id }) => existsSync(farEndOf(id)))
    .map(async ({ id, name }) => {
      const { farEnd } = (await import(farEndOf(id).href)) as { farEnd: CoinFarEnd };
      return { ...farEnd, id, name };
    }),
);

/** The coin of a registered rail. */
export function readCoin(id: string): SimulatedCoin {
  const coin = coins.find((one) => one.id === id);
  if (coin === undefined) throw new Error(`There is no coin ${id}`);
  return coin;
}
