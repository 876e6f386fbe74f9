import { amountUnits } from '../../payout-amount.ts';
import type { CoinRpc } from './coin-rpc.ts';
import { ask, failureOf, list, member, seedIdOf, text } from './node-answers.ts';
import type { SentListing, SentOutput } from './wallet.ts';

/** The number of wallet entries per call. */
const LIST_PAGE = 200;

/**
 * Reads pages of the wallet's newest entries until a whole page is older than `since`. An entry is an output. The order
 * of the entries is that of the wallet, in which a single one may have an earlier time than the one before it. A new
 * entry moves the others on to the next page, so an output may be read twice. It counts once.
 */
export async function listSent(rpc: CoinRpc, since: Date): Promise<SentListing> {
  const info = await ask(rpc, 'getwalletinfo', {});
  if (info.kind !== 'ok') return { kind: 'unknown', reason: info.reason };
  const outputs = new Map<string, SentOutput>();
  for (let skip = 0; ; skip += LIST_PAGE) {
    const reply = await rpc('listtransactions', { label: '*', count: LIST_PAGE, skip });
    if (reply.kind !== 'result') return { kind: 'unknown', reason: failureOf(reply).reason };
    const entries = list(reply.result).map((entry) => ({
      entry,
      at: new Date(Number(member(entry, 'timereceived')) * 1000),
    }));
    for (const { entry, at } of entries.toReversed()) {
      if (member(entry, 'category') !== 'send' || at < since) continue;
      const address = member(entry, 'address');
      const transactionId = text(member(entry, 'txid'));
      outputs.set(`${transactionId}:${member(entry, 'vout')}`, {
        transactionId,
        at,
        address: typeof address === 'string' ? address : '',
        amountUnits: -amountUnits(member(entry, 'amount')),
        confirmations: Number(member(entry, 'confirmations')),
      });
    }
    if (entries.length < LIST_PAGE || entries.every(({ at }) => at < since)) break;
  }
  return { kind: 'listed', seedId: seedIdOf(info.value), outputs: [...outputs.values()] };
}
