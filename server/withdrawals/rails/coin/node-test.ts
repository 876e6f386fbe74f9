import type { ConnectionStep } from '#contract/connection.ts';
import { sentence } from '#contract/operator-sentences.ts';
import { amountText, amountUnits } from '../../payout-amount.ts';
import type { CoinRpc } from './coin-rpc.ts';
import type { CoreWalletRules } from './funding.ts';
import { ask, member, type Outcome, seedIdOf, text, unavailable } from './node-answers.ts';
import { checkChain } from './node-chain.ts';

/** An operator's test of a node, step by step. Reads only. */

/** One step. Returns what was found, or what is wrong. */
type Step = [name: string, look: () => Promise<Outcome<string>>];

/** Tests a node up to the first step that fails. */
export async function testConnection(rpc: CoinRpc, rules: CoreWalletRules): Promise<ConnectionStep[]> {
  const steps: Step[] = [
    ['node', () => lookAtNode(rpc)],
    ['network', () => lookAtNetwork(rpc, rules)],
    ['blocks', () => lookAtBlocks(rpc, rules)],
    ['wallet', () => lookAtWallet(rpc)],
    ['balance', () => lookAtBalance(rpc)],
  ];
  const looked: ConnectionStep[] = [];
  for (const [name, look] of steps) {
    const found = await look();
    const isWell = found.kind === 'ok';
    looked.push({ name, ok: isWell, text: isWell ? found.value : found.reason });
    if (!isWell) break;
  }
  return looked;
}

const okay = (value: string): Outcome<string> => ({ kind: 'ok', value });

async function lookAtNode(rpc: CoinRpc): Promise<Outcome<string>> {
  const info = await ask(rpc, 'getnetworkinfo', {});
  if (info.kind !== 'ok') return info;
  const version = String(info.value.subversion ?? '').replaceAll(/^\/|\/$/g, '');
  return okay(
    version === '' ? sentence('node-answers') : sentence('node-answers-as', { versionText: version }),
  );
}

async function lookAtNetwork(rpc: CoinRpc, rules: CoreWalletRules): Promise<Outcome<string>> {
  const info = await ask(rpc, 'getblockchaininfo', {});
  if (info.kind !== 'ok') return info;
  const chain = text(info.value.chain);
  if (chain === rules.chain) return okay(sentence('node-on-network', { network: chain }));
  return unavailable(sentence('node-on-other-network', { network: chain, payingNetwork: rules.chain }));
}

async function lookAtBlocks(rpc: CoinRpc, rules: CoreWalletRules): Promise<Outcome<string>> {
  const chain = await checkChain(rpc, rules);
  if (chain.kind !== 'ok') return chain;
  const info = await ask(rpc, 'getblockchaininfo', {});
  return info.kind === 'ok' ? okay(sentence('node-in-sync', { height: text(info.value.blocks) })) : info;
}

/**
 * Finds a wallet that can't sign: one for watching alone, a locked one, or a blank one with imported keys at most.
 * `unlocked_until` is 0 while it is locked, and absent if it has no passphrase. A wallet without a seed may have keys
 * all the same.
 */
export async function lookAtWallet(rpc: CoinRpc): Promise<Outcome<string>> {
  const info = await ask(rpc, 'getwalletinfo', {});
  if (info.kind !== 'ok') return info;
  const unlockedUntil = member(info.value, 'unlocked_until');
  if (member(info.value, 'private_keys_enabled') === false)
    return unavailable(sentence('wallet-without-keys'));
  if (unlockedUntil !== undefined && Number(unlockedUntil) === 0)
    return unavailable(sentence('wallet-can-not-sign'));
  const keyCounts = [member(info.value, 'keypoolsize'), member(info.value, 'keypoolsize_hd_internal') ?? 0];
  if (seedIdOf(info.value) === null && keyCounts.every((count) => count === 0))
    return unavailable(sentence('wallet-blank'));
  return okay(sentence('wallet-can-sign'));
}

async function lookAtBalance(rpc: CoinRpc): Promise<Outcome<string>> {
  const balances = await ask(rpc, 'getbalances', {});
  if (balances.kind !== 'ok') return balances;
  const trusted = amountUnits(member(balances.value.mine ?? null, 'trusted'));
  return okay(sentence('wallet-can-pay', { amount: amountText(trusted) }));
}
