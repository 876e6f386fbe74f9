import { sentence } from '#contract/operator-sentences.ts';
import type { Json } from '../../lossless-json.ts';
import type { CoinRpc } from './coin-rpc.ts';
import type { CoreWalletRules } from './funding.ts';
import { ask, type Outcome, text, unavailable } from './node-answers.ts';

/**
 * Whether a node can be believed: it is on the required chain and is not behind. The wallet of a node that is behind
 * does not know what was paid meanwhile, so its list proves nothing, and it may spend coins that are spent.
 */

/** The coins have a block every two and a half minutes. The node tells the median of its eleven newest blocks. */
const BLOCKS_AGE_MS_MAX = 2 * 60 * 60 * 1_000;

/** Checks that the node is on the required chain and has fetched it. Returns the newest block's hash. */
export async function checkChain(rpc: CoinRpc, rules: CoreWalletRules): Promise<Outcome<string>> {
  const chain = await ask(rpc, 'getblockchaininfo', {});
  if (chain.kind !== 'ok') return chain;
  if (chain.value.chain !== rules.chain) {
    return { kind: 'unavailable', reason: sentence('node-other-chain', { chain: rules.chain }) };
  }
  if (chain.value.initialblockdownload === true) {
    return { kind: 'unavailable', reason: sentence('node-fetching') };
  }
  // A private chain has no peers, and its blocks come when somebody makes one.
  const delay = rules.chain === 'regtest' ? undefined : await findDelay(rpc, rules, chain.value);
  return delay === undefined ? { kind: 'ok', value: text(chain.value.bestblockhash) } : unavailable(delay);
}

/** Why the node may be behind. On a test network blocks may stay away for hours, and nodes may be alone. */
async function findDelay(
  rpc: CoinRpc,
  { chain, nowMs = Date.now }: CoreWalletRules,
  { blocks, headers, mediantime }: Record<string, Json>,
): Promise<string | undefined> {
  if (Number(blocks) < Number(headers))
    return sentence('node-behind', { blockCount: text(blocks), headerCount: text(headers) });
  if (chain !== 'main') return undefined;
  const network = await ask(rpc, 'getnetworkinfo', {});
  if (network.kind !== 'ok') return network.reason;
  if (Number(network.value.connections) === 0) return sentence('node-alone');
  const newestMs = Number(mediantime) * 1_000;
  if (nowMs() - newestMs <= BLOCKS_AGE_MS_MAX) return undefined;
  const since = new Date(newestMs).toISOString();
  return sentence('node-old-blocks', { newestAt: since });
}
