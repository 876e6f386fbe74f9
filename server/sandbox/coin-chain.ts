import { createHash } from 'node:crypto';
import { hex } from '@scure/base';
import { Address, OutScript, RawTx } from '@scure/btc-signer';
import { RawOldTx } from '@scure/btc-signer/script.js';
import type { SimulatedCoin } from './coin-registry.ts';

/**
 * Simulates a coin's chain and wallet: outputs, unconfirmed payments, blocks. Payments have the real wire format and
 * real ids. Signatures are placeholders, because only this node verifies them.
 */
export type Network = 'main' | 'test' | 'regtest';
export type Outpoint = { transactionId: string; index: number };

/** An output as stored. Amounts are decimal text, so that the file has no floating-point number. */
type Output = { address: string | null; units: string; block: number | null; spentBy: string | null };
/** A payment as stored. `at` is the time the node accepted it, in seconds since 1970. */
export type StoredPayment = { id: string; bytesHex: string; block: number | null; at: number };
export type ChainState = {
  height: number;
  addressCount: number;
  ownAddresses: string[];
  /** The addresses of the wallet that have a label. */
  labels?: Record<string, string[]>;
  outputs: Record<string, Output>;
  payments: StoredPayment[];
};

export type Payment = ReturnType<typeof RawTx.decode>;

/** A call that the node refuses, with the code from Core's `src/rpc/protocol.h`. */
export class CoinNodeRefusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = 'CoinNodeRefusal';
    this.code = code;
  }
}

const UNITS_PER_COIN = 100_000_000n;
const GENESIS_OUTPUTS = 60;
const GENESIS_UNITS = 100n * UNITS_PER_COIN;
const BLOCK_REWARD_UNITS = 50n * UNITS_PER_COIN;
const DUST_UNITS = 5_460n;
const FEE_UNITS_PER_INPUT = 1_360n;
const FEE_UNITS_PER_PAYMENT = 1_460n;

/** A chain. These functions change its state in place. Locks are kept in memory only, as in the real wallet. */
export type Chain = {
  readonly coin: SimulatedCoin;
  readonly network: Network;
  readonly state: ChainState;
  readonly locked: Set<string>;
};

/** Opens the chain on its state. Adds the first coins to an empty state. */
export function openChain(coin: SimulatedCoin, network: Network, state: ChainState): Chain {
  const chain: Chain = { coin, network, state, locked: new Set() };
  if (state.height === 0) {
    state.height = 1;
    for (let nonce = 0; nonce < GENESIS_OUTPUTS; nonce += 1) reward(chain, GENESIS_UNITS, nonce);
  }
  return chain;
}

export function emptyState(): ChainState {
  return { height: 0, addressCount: 0, ownAddresses: [], outputs: {}, payments: [] };
}

const versionsOf = (chain: Chain) => chain.coin.versions[chain.network];
const codecOf = (chain: Chain) => Address({ ...versionsOf(chain), wif: 0 });

export function scriptOf(chain: Chain, address: string): Uint8Array | undefined {
  try {
    return OutScript.encode(codecOf(chain).decode(address));
  } catch {
    return undefined; // the library throws for an invalid address
  }
}

export function addressOf(chain: Chain, script: Uint8Array): string | null {
  try {
    return codecOf(chain).encode(OutScript.decode(script));
  } catch {
    return null; // a script that has no address
  }
}

export function isMweb(chain: Chain, address: string): boolean {
  const prefix = versionsOf(chain).mweb;
  return prefix !== undefined && address.startsWith(prefix);
}

export function isOwn(chain: Chain, address: string | null): boolean {
  return address !== null && chain.state.ownAddresses.includes(address);
}

export function newAddress(chain: Chain, label = ''): string {
  chain.state.addressCount += 1;
  const seed = `${chain.coin.id} ${chain.network} ${chain.state.addressCount}`;
  const hash = createHash('sha256').update(seed).digest().subarray(0, 20);
  const address = codecOf(chain).encode({ type: chain.coin.hasSegwit ? 'wpkh' : 'pkh', hash });
  chain.state.ownAddresses.push(address);
  if (label !== '') {
    chain.state.labels ??= {};
    chain.state.labels[label] = [...(chain.state.labels[label] ?? []), address];
  }
  return address;
}

function reward(chain: Chain, units: bigint, nonce: number): void {
  const { state } = chain;
  const seed = `${chain.coin.id} ${chain.network} coinbase ${state.height} ${nonce}`;
  const id = createHash('sha256').update(seed).digest('hex');
  const address = state.ownAddresses[0] ?? newAddress(chain);
  state.outputs[`${id}:0`] = { address, units: String(units), block: state.height, spentBy: null };
}

/** The wallet's unspent outputs, by outpoint. */
export function spendable(chain: Chain): [string, Output][] {
  return Object.entries(chain.state.outputs).filter(
    ([, output]) => output.spentBy === null && isOwn(chain, output.address),
  );
}

export function build(
  chain: Chain,
  inputs: readonly Outpoint[],
  recipients: readonly { address: string; units: bigint }[],
): Payment {
  return {
    version: 2,
    segwitFlag: false,
    inputs: inputs.map((input) => ({
      txid: hex.decode(input.transactionId),
      index: input.index,
      finalScriptSig: new Uint8Array(),
      sequence: 0xfffffffe,
    })),
    outputs: recipients.map((one) => {
      const script = scriptOf(chain, one.address);
      if (!script) throw new CoinNodeRefusal(-5, `Invalid address: ${one.address}`);
      return { amount: one.units, script };
    }),
    witnesses: undefined,
    lockTime: 0,
  };
}

/** Makes a payment from unspent, unlocked outputs and adds the change. */
export function fund(chain: Chain, recipient: { address: string; units: bigint }, locksInputs: boolean) {
  if (recipient.units < DUST_UNITS) throw new CoinNodeRefusal(-4, 'Transaction amount too small');
  const chosen: string[] = [];
  let sum = 0n;
  const fee = () => FEE_UNITS_PER_PAYMENT + FEE_UNITS_PER_INPUT * BigInt(chosen.length);
  for (const [key, output] of spendable(chain)) {
    if (chain.locked.has(key)) continue;
    chosen.push(key);
    sum += BigInt(output.units);
    if (sum >= recipient.units + fee()) break;
  }
  if (chosen.length === 0 || sum < recipient.units + fee()) {
    throw new CoinNodeRefusal(-4, 'Insufficient funds');
  }
  const change = sum - recipient.units - fee();
  const hasChange = change >= DUST_UNITS;
  const recipients = hasChange ? [recipient, { address: newAddress(chain), units: change }] : [recipient];
  if (locksInputs) for (const key of chosen) chain.locked.add(key);
  return {
    payment: build(chain, chosen.map(outpointOf), recipients),
    feeUnits: hasChange ? fee() : sum - recipient.units,
    changePosition: hasChange ? 1 : -1,
  };
}

/** Puts a placeholder signature on every input of the wallet. */
export function sign(chain: Chain, payment: Payment): { payment: Payment; isComplete: boolean } {
  const hasKey = payment.inputs.map((input) =>
    isOwn(chain, chain.state.outputs[keyOf(input)]?.address ?? null),
  );
  const hasWitness = chain.coin.hasSegwit && hasKey.includes(true);
  const signed: Payment = {
    ...payment,
    segwitFlag: hasWitness,
    inputs: payment.inputs.map((input, index) => ({
      ...input,
      finalScriptSig: !chain.coin.hasSegwit && hasKey[index] ? placeholder(106, index) : new Uint8Array(),
    })),
    witnesses: hasWitness
      ? hasKey.map((isOurs, index) => (isOurs ? [placeholder(71, index), placeholder(33, index)] : []))
      : undefined,
  };
  return { payment: signed, isComplete: hasKey.every(Boolean) };
}

export function isSigned(payment: Payment): boolean {
  return payment.inputs.every(
    (input, index) => input.finalScriptSig.length > 0 || (payment.witnesses?.[index]?.length ?? 0) > 0,
  );
}

export function encode(payment: Payment): string {
  return hex.encode(RawTx.encode(payment));
}

export function decode(bytesHex: string): Payment {
  try {
    return RawTx.decode(hex.decode(bytesHex));
  } catch {
    throw new CoinNodeRefusal(-22, 'TX decode failed. Make sure the tx has at least one input.');
  }
}

/** Accepts a broadcast payment as `BroadcastTransaction` of Core 0.21: the same payment is accepted again. */
export function accept(chain: Chain, bytesHex: string): string {
  const { state } = chain;
  const payment = decode(bytesHex);
  const id = idOf(payment);
  const isUnspentOnChain = payment.outputs.some((_output, index) => {
    const output = state.outputs[`${id}:${index}`];
    return output !== undefined && output.block !== null && output.spentBy === null;
  });
  if (isUnspentOnChain) throw new CoinNodeRefusal(-27, 'Transaction already in block chain');
  if (state.payments.some((one) => one.id === id && one.block === null)) return id;
  for (const input of payment.inputs) {
    const output = state.outputs[keyOf(input)];
    const spender = state.payments.find((one) => one.id === output?.spentBy);
    if (!output || (spender && spender.block !== null)) {
      throw new CoinNodeRefusal(-25, 'bad-txns-inputs-missingorspent');
    }
    if (spender) throw new CoinNodeRefusal(-26, 'txn-mempool-conflict');
  }
  if (!isSigned(payment)) throw new CoinNodeRefusal(-26, 'mandatory-script-verify-flag-failed');
  record(chain, payment, id, bytesHex);
  return id;
}

function record(chain: Chain, payment: Payment, id: string, bytesHex: string): void {
  const { state } = chain;
  for (const input of payment.inputs) {
    const output = state.outputs[keyOf(input)];
    if (output) output.spentBy = id;
    chain.locked.delete(keyOf(input));
  }
  payment.outputs.forEach((output, index) => {
    const address = addressOf(chain, output.script);
    state.outputs[`${id}:${index}`] = { address, units: String(output.amount), block: null, spentBy: null };
  });
  state.payments.push({ id, bytesHex, block: null, at: Math.floor(Date.now() / 1000) });
}

export function mine(chain: Chain, blockCount: number): void {
  const { state } = chain;
  for (let count = 0; count < blockCount; count += 1) {
    state.height += 1;
    reward(chain, BLOCK_REWARD_UNITS, 0);
    for (const payment of state.payments.filter((one) => one.block === null)) {
      payment.block = state.height;
      decode(payment.bytesHex).outputs.forEach((_output, index) => {
        const output = state.outputs[`${payment.id}:${index}`];
        if (output) output.block = state.height;
      });
    }
  }
}

/** Blocks since the payment's block, including it; 0 while it is unconfirmed. */
export function confirmationsOf(chain: Chain, payment: StoredPayment): number {
  return payment.block === null ? 0 : chain.state.height - payment.block + 1;
}

/** The payment's id, which covers everything except the witnesses. */
export function idOf(payment: Payment): string {
  const bare = RawOldTx.encode({
    version: payment.version,
    inputs: payment.inputs,
    outputs: payment.outputs,
    lockTime: payment.lockTime,
  });
  const once = createHash('sha256').update(bare).digest();
  return hex.encode(createHash('sha256').update(once).digest().reverse());
}

export function keyOf(input: { txid: Uint8Array; index: number }): string {
  return `${hex.encode(input.txid)}:${input.index}`;
}

function outpointOf(key: string): Outpoint {
  const [transactionId = '', index = '0'] = key.split(':');
  return { transactionId, index: Number(index) };
}

function placeholder(byteCount: number, index: number): Uint8Array {
  return new Uint8Array(byteCount).fill(0x30 + index);
}
