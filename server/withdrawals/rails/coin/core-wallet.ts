import assert from 'node:assert/strict';
import { sentence } from '#contract/operator-sentences.ts';
import type { Json } from '../../lossless-json.ts';
import { amountText, amountUnits } from '../../payout-amount.ts';
import type { CoinRpc } from './coin-rpc.ts';
import { CHANGE_OUTPUTS_MAX, type CoreWalletRules, fund, restoreLocks } from './funding.ts';
import { listSent } from './list-sent.ts';
import {
  addressOf,
  ask,
  failureOf,
  inputOf,
  isSameInput,
  list,
  member,
  type Outcome,
  text,
  unavailable,
} from './node-answers.ts';
import { checkChain } from './node-chain.ts';
import { sentenceOfError } from './node-errors.ts';
import { lookAtWallet, testConnection } from './node-test.ts';
import type {
  AddressVerdict,
  AnywhereOutcome,
  BroadcastOutcome,
  CoinInput,
  CoinOrder,
  CoinWallet,
  FindOutcome,
  MempoolStatus,
  RivalOutcome,
  SentListing,
  SignOutcome,
  TransactionStatus,
  WalletState,
} from './wallet.ts';

/**
 * Payments from the wallet of a Core-family node (Litecoin Core, Dash Core). Only payouts use the wallet. So a coin
 * lock without an unfinished payout is left from a crash, and `sign` releases it.
 *
 * Before `sign` returns a payment, it decodes it and checks every output: exactly the ordered amount to the ordered
 * address, a few other outputs at most, which are the wallet's change, and a network fee of at most the cap.
 */
export function coreWallet(rpc: CoinRpc, rules: CoreWalletRules): CoinWallet {
  return {
    readState: () => readState(rpc, rules),
    testConnection: () => testConnection(rpc, rules),
    validateAddress: (address) => validateAddress(rpc, address),
    sign: (order, reservedInputs) => sign(rpc, rules, order, reservedInputs),
    broadcast: (bytesHex) => broadcast(rpc, bytesHex),
    status: (transactionId) => readStatus(rpc, transactionId),
    findInMempool: (transactionId) => findInMempool(rpc, transactionId),
    findAnywhere: (transactionId, inputs) => findAnywhere(rpc, transactionId, inputs),
    findRival: (inputs, afterBlock, address) => findRival(rpc, inputs, afterBlock, address),
    find: (transactionId, address) => findTransaction(rpc, transactionId, address),
    list: (since) => listPayments(rpc, rules, since),
  };
}

async function listPayments(rpc: CoinRpc, rules: CoreWalletRules, since: Date): Promise<SentListing> {
  const chain = await checkChain(rpc, rules);
  return chain.kind === 'ok' ? listSent(rpc, since) : { kind: 'unknown', reason: chain.reason };
}

async function readState(rpc: CoinRpc, rules: CoreWalletRules): Promise<WalletState> {
  const chain = await checkChain(rpc, rules);
  if (chain.kind !== 'ok') return chain;
  const wallet = await lookAtWallet(rpc);
  if (wallet.kind !== 'ok') return wallet;
  const balances = await ask(rpc, 'getbalances', {});
  if (balances.kind !== 'ok') return balances;
  const balance = amountText(amountUnits(member(balances.value.mine ?? null, 'trusted')));
  return { kind: 'ready', network: rules.chain, balance, topUpDestination: await findTopUpAddress(rpc) };
}

const TOP_UP_LABEL = 'top-up';

/** Finds the wallet's address with a label, or makes it. Without one the wallet pays all the same. */
async function findTopUpAddress(rpc: CoinRpc): Promise<string | null> {
  const labelled = await ask(rpc, 'getaddressesbylabel', { label: TOP_UP_LABEL });
  const [known] = labelled.kind === 'ok' ? Object.keys(labelled.value).sort() : [];
  if (known !== undefined) return known;
  const made = await rpc('getnewaddress', { label: TOP_UP_LABEL });
  return made.kind === 'result' ? text(made.result) : null;
}

async function validateAddress(rpc: CoinRpc, address: string): Promise<AddressVerdict> {
  const validity = await ask(rpc, 'validateaddress', { address });
  if (validity.kind !== 'ok') return validity;
  if (validity.value.isvalid !== true) return { kind: 'refused', reason: sentence('address-wrong') };
  if (validity.value.ismweb === true) return { kind: 'refused', reason: sentence('address-mweb') };
  const ownership = await ask(rpc, 'getaddressinfo', { address });
  if (ownership.kind !== 'ok') return ownership;
  if (ownership.value.ismine === true) {
    return { kind: 'refused', reason: sentence('address-own') };
  }
  return { kind: 'valid' };
}

async function sign(
  rpc: CoinRpc,
  rules: CoreWalletRules,
  order: CoinOrder,
  reservedInputs: readonly CoinInput[],
): Promise<SignOutcome> {
  const readiness = await checkChain(rpc, rules);
  if (readiness.kind !== 'ok') return readiness;
  const verdict = await validateAddress(rpc, order.address);
  if (verdict.kind !== 'valid') return verdict;
  const free = await restoreLocks(rpc, reservedInputs);
  if (free.kind !== 'ok') return free;
  const funded = await fund(rpc, rules, order, free.value);
  if (funded.kind !== 'ok') return funded;
  const bytesHex = await completePsbt(rpc, text(funded.value.psbt));
  if (bytesHex.kind !== 'ok') return bytesHex;
  const decoded = await ask(rpc, 'decoderawtransaction', { hexstring: bytesHex.value });
  if (decoded.kind !== 'ok') return decoded;
  const inputs = list(decoded.value.vin).map(inputOf);
  const isTaken = inputs.some((input) => reservedInputs.some((reserved) => isSameInput(input, reserved)));
  if (isTaken) return { kind: 'unavailable', reason: sentence('coins-taken') };
  const fault = await findFault(rpc, rules, order, list(decoded.value.vout), amountUnits(funded.value.fee));
  if (fault.kind !== 'ok') return fault;
  return {
    kind: 'signed',
    transactionId: text(decoded.value.txid),
    bytesHex: bytesHex.value,
    inputs,
    networkFee: text(funded.value.fee),
    afterBlock: readiness.value,
  };
}

async function completePsbt(rpc: CoinRpc, psbt: string): Promise<Outcome<string>> {
  const signed = await ask(rpc, 'walletprocesspsbt', { psbt, sign: true });
  if (signed.kind !== 'ok') return signed;
  if (signed.value.complete !== true) return unavailable(sentence('not-signed'));
  const final = await ask(rpc, 'finalizepsbt', { psbt: text(signed.value.psbt), extract: true });
  if (final.kind !== 'ok') return final;
  if (final.value.complete !== true) return unavailable(sentence('not-complete'));
  return { kind: 'ok', value: text(final.value.hex) };
}

async function findFault(
  rpc: CoinRpc,
  rules: CoreWalletRules,
  order: CoinOrder,
  outputs: readonly Json[],
  feeUnits: bigint,
): Promise<Outcome<true>> {
  if (feeUnits > amountUnits(rules.feeMax)) return unavailable(sentence('fee-above-cap'));
  const isPayee = (output: Json) => addressOf(output) === order.address;
  const payees = outputs.filter(isPayee);
  const amount = payees[0] === undefined ? -1n : amountUnits(member(payees[0], 'value'));
  if (payees.length !== 1 || amount !== amountUnits(order.coinAmount)) {
    return unavailable(sentence('pays-not-as-ordered'));
  }
  const others = outputs.filter((output) => !isPayee(output));
  if (others.length > CHANGE_OUTPUTS_MAX) return unavailable(sentence('pays-somebody-else'));
  for (const change of others) {
    const address = addressOf(change);
    const owner = await ask(rpc, 'getaddressinfo', { address: address ?? '' });
    if (owner.kind !== 'ok') return owner;
    if (owner.value.ismine !== true) return unavailable(sentence('pays-somebody-else'));
  }
  return { kind: 'ok', value: true };
}

/** Sends a payment. The meanings of the error codes are those of `BroadcastTransaction` in Litecoin Core 0.21. */
async function broadcast(rpc: CoinRpc, bytesHex: string): Promise<BroadcastOutcome> {
  const reply = await rpc('sendrawtransaction', { hexstring: bytesHex });
  if (reply.kind === 'result') return { kind: 'accepted' };
  if (reply.kind !== 'error') return reply;
  const reason = sentenceOfError(reply);
  if (reply.code === -27) return { kind: 'already-mined' };
  if (reply.code === -25 && /missing|spent/i.test(reply.message)) return { kind: 'missing-inputs', reason };
  // Else -25 means a fee above the node's cap. A changed setting of the node can allow it later.
  if (reply.code === -25 || reply.code === -26) return { kind: 'refused-by-policy', reason };
  if (reply.code === -22) return { kind: 'undecodable', reason };
  return { kind: 'unknown', reason };
}

async function readStatus(rpc: CoinRpc, transactionId: string): Promise<TransactionStatus> {
  const reply = await rpc('gettransaction', { txid: transactionId });
  if (reply.kind === 'error' && reply.code === -5) return { kind: 'absent' };
  if (reply.kind === 'error') return { kind: 'unknown', reason: sentenceOfError(reply) };
  if (reply.kind !== 'result') return { kind: 'unknown', reason: reply.reason };
  const confirmations = member(reply.result, 'confirmations');
  assert(typeof confirmations === 'number', 'confirmations are a whole number');
  return confirmations < 0 ? { kind: 'conflicted', depth: -confirmations } : { kind: 'known', confirmations };
}

async function findInMempool(rpc: CoinRpc, transactionId: string): Promise<MempoolStatus> {
  const reply = await rpc('getmempoolentry', { txid: transactionId });
  if (reply.kind === 'result') return { kind: 'inside' };
  if (reply.kind === 'error' && reply.code === -5) return { kind: 'outside' };
  return { kind: 'unknown', reason: failureOf(reply).reason };
}

/**
 * Looks at as many outputs as a payment of `sign` has. The change of a lost wallet is never spent. While all coins that
 * the payment spends are unspent, somebody who has its bytes can still send it.
 */
async function findAnywhere(
  rpc: CoinRpc,
  transactionId: string,
  inputs: readonly CoinInput[],
): Promise<AnywhereOutcome> {
  const mempool = await findInMempool(rpc, transactionId);
  if (mempool.kind === 'unknown') return mempool;
  if (mempool.kind === 'inside') return { kind: 'seen' };
  for (let n = 0; n <= CHANGE_OUTPUTS_MAX; n += 1) {
    const reply = await rpc('gettxout', { txid: transactionId, n, include_mempool: false });
    if (reply.kind !== 'result') return { kind: 'unknown', reason: failureOf(reply).reason };
    if (reply.result !== null) return { kind: 'seen' };
  }
  for (const { transactionId: txid, outputIndex: n } of inputs) {
    const reply = await rpc('gettxout', { txid, n, include_mempool: true });
    if (reply.kind !== 'result') return { kind: 'unknown', reason: failureOf(reply).reason };
    if (reply.result === null) return { kind: 'unseen' };
  }
  return { kind: inputs.length > 0 ? 'sendable' : 'unseen' };
}

/**
 * Reads a transaction that the wallet lists, under the id that the node gives it. One that only the node knows is
 * absent, because its state could not be read again.
 */
async function findTransaction(rpc: CoinRpc, transactionId: string, address: string): Promise<FindOutcome> {
  const chain = await ask(rpc, 'getblockchaininfo', {});
  if (chain.kind !== 'ok') return { kind: 'unknown', reason: chain.reason };
  const reply = await rpc('gettransaction', { txid: transactionId });
  // -8: the text is no transaction id.
  if (reply.kind === 'error' && (reply.code === -5 || reply.code === -8)) return { kind: 'absent' };
  if (reply.kind !== 'result') return { kind: 'unknown', reason: failureOf(reply).reason };
  const replaced = await findReplacement(rpc, transactionId, reply.result);
  if (replaced !== undefined) return replaced;
  const bytesHex = text(member(reply.result, 'hex'));
  const decoded = await ask(rpc, 'decoderawtransaction', { hexstring: bytesHex });
  if (decoded.kind !== 'ok') return { kind: 'unknown', reason: decoded.reason };
  const inputs = spentBy(decoded.value);
  const paidUnits = paidTo(decoded.value, address);
  return {
    kind: 'found',
    transactionId: text(decoded.value.txid),
    bytesHex,
    inputs,
    paidUnits,
    newestBlock: text(chain.value.bestblockhash),
  };
}

/** What took the place of a transaction, for example after its fee was raised. Undefined if nothing did. */
async function findReplacement(
  rpc: CoinRpc,
  transactionId: string,
  found: Json,
): Promise<Extract<FindOutcome, { kind: 'replaced' | 'unknown' }> | undefined> {
  const depth = Number(member(found, 'confirmations') ?? 0);
  if (depth > 0) return undefined;
  if (depth === 0) {
    const mempool = await findInMempool(rpc, transactionId);
    if (mempool.kind === 'unknown') return mempool;
    if (mempool.kind === 'inside') return undefined;
  }
  for (const id of list(member(found, 'walletconflicts') ?? []).map(text)) {
    const status = await readStatus(rpc, id);
    const mempool = await findInMempool(rpc, id);
    if (status.kind === 'unknown') return status;
    if (mempool.kind === 'unknown') return mempool;
    const isMined = status.kind === 'known' && status.confirmations > 0;
    if (isMined || mempool.kind === 'inside') return { kind: 'replaced', by: id, depth: -depth };
  }
  return depth < 0 ? { kind: 'replaced', by: null, depth: -depth } : undefined;
}

const spentBy = (decoded: Record<string, Json>): CoinInput[] =>
  list(decoded.vin)
    .filter((input) => member(input, 'coinbase') === undefined)
    .map(inputOf);

const paidTo = (decoded: Record<string, Json>, address: string): bigint =>
  list(decoded.vout)
    .filter((output) => addressOf(output) === address)
    .reduce((sum: bigint, output) => sum + amountUnits(member(output, 'value')), 0n);

/**
 * Searches the wallet's payments since the given block. The wallet knows all payments that spend its coins. The first
 * transaction of a block makes coins and spends none, so those of a wallet that mines are not read one by one.
 */
async function findRival(
  rpc: CoinRpc,
  inputs: readonly CoinInput[],
  afterBlock: string,
  address: string,
): Promise<RivalOutcome> {
  const since = await ask(rpc, 'listsinceblock', { blockhash: afterBlock });
  if (since.kind !== 'ok') return { kind: 'unknown', reason: since.reason };
  const spending = list(since.value.transactions).filter((one) => member(one, 'generated') !== true);
  const ids = new Set(spending.map((one) => text(member(one, 'txid'))));
  let deepest: RivalOutcome = { kind: 'none' };
  for (const transactionId of ids) {
    const found = await ask(rpc, 'gettransaction', { txid: transactionId });
    if (found.kind !== 'ok') return { kind: 'unknown', reason: found.reason };
    const bytesHex = text(found.value.hex);
    const decoded = await ask(rpc, 'decoderawtransaction', { hexstring: bytesHex });
    if (decoded.kind !== 'ok') return { kind: 'unknown', reason: decoded.reason };
    const depth = Number(found.value.confirmations);
    const spent = spentBy(decoded.value);
    if (depth < 0 || !spent.some((one) => inputs.some((input) => isSameInput(input, one)))) continue;
    const paidUnits = paidTo(decoded.value, address);
    const rival = { kind: 'rival' as const, transactionId, bytesHex, inputs: spent, depth, paidUnits };
    if (paidUnits > 0n) return rival;
    if (deepest.kind === 'none' || depth > deepest.depth) deepest = rival;
  }
  return deepest;
}
