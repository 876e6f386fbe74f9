import { readBalances } from './days.ts';
import { findMethod, type MethodParts, setUpRail } from './payment-methods.ts';
import { readMethodsToWatch } from './rail-watch.ts';
import { findDefinition } from './rails/registry.ts';

/** What the paying account of a method answered at the last look of the watch. It asks nobody. */
export type LastLook = {
  /** Whether credentials of an account are stored. */
  isConfigured: boolean;
  /** Why no rail can use the account; null if one can. */
  trouble: string | null;
  /** Whether the watch looks at it: the method is switched on or has unfinished payouts. */
  isWatched: boolean;
  /** Decimal text in the currency; null if it was never seen. */
  balance: string | null;
  currency: string;
  notedAt: Date | null;
};

export async function readLastLook(parts: MethodParts, method: string): Promise<LastLook> {
  const [found, setup, looks, watched] = await Promise.all([
    findMethod(parts, method),
    setUpRail(parts, method),
    readBalances(parts.database),
    readMethodsToWatch(parts),
  ]);
  const look = looks.find((one) => one.method === method);
  return {
    isConfigured: (found?.row.sealedCredentials ?? null) !== null,
    trouble: setup.kind === 'unusable' ? setup.reason : null,
    isWatched: watched.some(({ row }) => row.method === method),
    balance: look?.balance ?? null,
    currency: findDefinition(method)?.currency.symbol ?? '',
    notedAt: look?.notedAt ?? null,
  };
}
