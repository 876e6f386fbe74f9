import { sentence } from '#contract/operator-sentences.ts';
import type { CoinInput, CoinWallet } from './wallet.ts';

/**
 * Searches the unconfirmed transactions whose change a payment spends. When one of them was replaced, all later ones
 * can never confirm. The node is certain only about the wallet's own transactions: it reports a conflict and its depth.
 * Of a foreign one it knows only that it is not in the mempool, which has other causes as well.
 */
export type Ancestry =
  | { kind: 'alive' }
  /** A rival of this ancestor is `depth` blocks deep. */
  | { kind: 'dead'; transactionId: string; depth: number }
  | { kind: 'unknown'; reason: string };

/** A node relays no longer chains of unconfirmed transactions. */
const ANCESTORS_MAX = 25;

/** Searches from the nearest to the farthest, and prefers a dead ancestor to one that can't be read. */
export async function findDeadAncestor(wallet: CoinWallet, inputs: readonly CoinInput[]): Promise<Ancestry> {
  const seen = new Set<string>();
  const waiting = inputs.map(({ transactionId }) => transactionId);
  let doubt: Ancestry = { kind: 'alive' };
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    if (seen.has(id) || seen.size >= ANCESTORS_MAX) continue;
    seen.add(id);
    const status = await wallet.status(id);
    if (status.kind === 'conflicted') return { kind: 'dead', transactionId: id, depth: status.depth };
    if (status.kind === 'unknown') doubt = { kind: 'unknown', reason: status.reason };
    if (status.kind === 'absent')
      doubt = { kind: 'unknown', reason: sentence('coin-unknown', { transactionId: id }) };
    if (status.kind !== 'known' || status.confirmations > 0) continue;
    const mempool = await wallet.findInMempool(id);
    if (mempool.kind !== 'outside') continue;
    doubt = {
      kind: 'unknown',
      reason: sentence('change-not-relayed', { transactionId: id }),
    };
    const found = await wallet.find(id, '');
    if (found.kind === 'found') waiting.push(...found.inputs.map(({ transactionId }) => transactionId));
  }
  return doubt;
}
