import { createHash } from 'node:crypto';
import {
  accept,
  addressOf,
  build,
  type Chain,
  CoinNodeRefusal,
  confirmationsOf,
  decode,
  encode,
  fund,
  idOf,
  isMweb,
  isOwn,
  isSigned,
  keyOf,
  mine,
  newAddress,
  type Payment,
  scriptOf,
  sign,
  spendable,
} from './coin-chain.ts';

/** The RPC methods of the coin node, with the parameters and answers of Core 0.21. */
export type Call = { id: unknown; method: string; params: Record<string, unknown> | unknown[] };
export type RpcAnswer = {
  result: unknown;
  error: { code: number; message: string } | null;
  hasChanged: boolean;
};

type Params = Record<string, unknown>;
type Method = { names: readonly string[]; changes?: true; run: (chain: Chain, params: Params) => unknown };

const methods: Record<string, Method> = {
  getnetworkinfo: { names: [], run: () => ({ connections: 8 }) },
  getblockcount: { names: [], run: (chain) => chain.state.height },
  validateaddress: { names: ['address'], run: validateAddress },
  getaddressinfo: {
    names: ['address'],
    run: (chain, params) => {
      const address = text(params.address);
      if (!scriptOf(chain, address)) throw new CoinNodeRefusal(-5, 'Invalid address');
      return { address, ismine: isOwn(chain, address) };
    },
  },
  getnewaddress: {
    names: ['label', 'address_type'],
    changes: true,
    run: (chain, { label }) => newAddress(chain, label === undefined ? '' : text(label)),
  },
  getaddressesbylabel: { names: ['label'], run: addressesByLabel },
  getbalances: { names: [], run: balances },
  getwalletinfo: { names: [], run: walletInfo },
  gettransaction: { names: ['txid', 'include_watchonly', 'verbose'], run: transaction },
  getmempoolentry: { names: ['txid'], run: mempoolEntry },
  gettxout: { names: ['txid', 'n', 'include_mempool'], run: unspentOutput },
  getrawchangeaddress: { names: ['address_type'], changes: true, run: (chain) => newAddress(chain) },
  decodepsbt: {
    names: ['psbt'],
    run: (chain, params) => ({ tx: decoded(chain, fromPsbt(text(params.psbt))) }),
  },
  getrawtransaction: { names: ['txid', 'verbose', 'blockhash'], run: transaction },
  listtransactions: { names: ['label', 'count', 'skip'], run: listTransactions },
  listsinceblock: { names: ['blockhash', 'target_confirmations'], run: listSinceBlock },
  walletcreatefundedpsbt: {
    names: ['inputs', 'outputs', 'locktime', 'options', 'bip32derivs'],
    changes: true,
    run: createFunded,
  },
  walletprocesspsbt: {
    names: ['psbt', 'sign', 'sighashtype', 'bip32derivs'],
    run: (chain, params) => {
      const { payment, isComplete } = sign(chain, fromPsbt(text(params.psbt)));
      return { psbt: toPsbt(payment), complete: isComplete };
    },
  },
  finalizepsbt: {
    names: ['psbt', 'extract'],
    run: (_chain, params) => {
      const payment = fromPsbt(text(params.psbt));
      const complete = isSigned(payment);
      return complete ? { hex: encode(payment), complete } : { psbt: params.psbt, complete };
    },
  },
  createrawtransaction: { names: ['inputs', 'outputs', 'locktime'], run: createRaw },
  signrawtransactionwithwallet: {
    names: ['hexstring'],
    run: (chain, params) => {
      const { payment, isComplete } = sign(chain, decode(text(params.hexstring)));
      return { hex: encode(payment), complete: isComplete };
    },
  },
  decoderawtransaction: {
    names: ['hexstring', 'iswitness'],
    run: (chain, params) => decoded(chain, decode(text(params.hexstring))),
  },
  sendrawtransaction: {
    names: ['hexstring', 'maxfeerate'],
    changes: true,
    run: (chain, params) => accept(chain, text(params.hexstring)),
  },
  listunspent: { names: ['minconf'], run: listUnspent },
  listlockunspent: {
    names: [],
    run: (chain) =>
      [...chain.locked].map((key) => ({ txid: key.split(':')[0], vout: Number(key.split(':')[1]) })),
  },
  lockunspent: { names: ['unlock', 'transactions'], run: lockUnspent },
  generatetoaddress: {
    names: ['nblocks', 'address'],
    changes: true,
    run: (chain, params) => {
      const before = chain.state.height;
      mine(chain, Number(params.nblocks));
      return Array.from({ length: chain.state.height - before }, (_value, index) =>
        blockHash(before + index + 1),
      );
    },
  },
};

function addressesByLabel(chain: Chain, { label }: Params) {
  const labelled = chain.state.labels?.[text(label)];
  if (labelled === undefined) throw new CoinNodeRefusal(-11, `No addresses with label ${text(label)}`);
  return Object.fromEntries(labelled.map((address) => [address, { purpose: 'receive' }]));
}

/** Answers one call. A refusal becomes an RPC error. */
export function answerCall(chain: Chain, call: Call): RpcAnswer {
  if (call.method === 'getblockchaininfo') return ok(chainInfo(chain), false);
  const method = methods[call.method];
  if (!method) return failed(-32601, 'Method not found');
  try {
    return ok(method.run(chain, named(method, call.params)), method.changes === true);
  } catch (error) {
    if (error instanceof CoinNodeRefusal) return failed(error.code, error.message);
    throw error;
  }
}

function ok(result: unknown, hasChanged: boolean): RpcAnswer {
  return { result, error: null, hasChanged };
}

function failed(code: number, message: string): RpcAnswer {
  return { result: null, error: { code, message }, hasChanged: false };
}

function named(method: Method, params: Call['params']): Params {
  if (!Array.isArray(params)) {
    const unknown = Object.keys(params).find((name) => !method.names.includes(name));
    if (unknown) throw new CoinNodeRefusal(-8, `Unknown named parameter ${unknown}`);
    return params;
  }
  return Object.fromEntries(params.map((value, index) => [method.names[index] ?? `${index}`, value]));
}

function chainInfo(chain: Chain) {
  const height = chain.state.height;
  return {
    chain: chain.network,
    blocks: height,
    headers: height,
    bestblockhash: blockHash(height),
    // Its blocks come by themselves, so the newest ones are always young.
    mediantime: Math.floor(Date.now() / 1000),
    initialblockdownload: false,
  };
}

function validateAddress(chain: Chain, params: Params) {
  const address = text(params.address);
  if (isMweb(chain, address)) return { isvalid: true, address, ismweb: true };
  return scriptOf(chain, address) ? { isvalid: true, address, ismweb: false } : { isvalid: false };
}

function balances(chain: Chain) {
  const sum = spendable(chain).reduce((total, [, output]) => total + BigInt(output.units), 0n);
  return { mine: { trusted: coin(sum), untrusted_pending: coin(0n), immature: coin(0n) } };
}

/**
 * The keys are made from the coin and its network, so their seed has the same name in every chain. By this name
 * `withdrawals.may_have_paid` knows that the wallet moves no money.
 */
function walletInfo(chain: Chain) {
  const hdseedid = createHash('sha256')
    .update(`${chain.coin.id} ${chain.network} seed`)
    .digest('hex')
    .slice(0, 40);
  return { walletname: '', txcount: chain.state.payments.length, hdseedid };
}

function transaction(chain: Chain, params: Params) {
  const id = text(params.txid).toLowerCase();
  const found = chain.state.payments.find((payment) => payment.id === id);
  if (!found) throw new CoinNodeRefusal(-5, 'Invalid or non-wallet transaction id');
  return {
    txid: id,
    confirmations: confirmationsOf(chain, found),
    ...(found.block === null ? {} : { blockhash: blockHash(found.block) }),
    walletconflicts: [],
    hex: found.bytesHex,
  };
}

function mempoolEntry(chain: Chain, params: Params) {
  const id = text(params.txid);
  const found = chain.state.payments.find((payment) => payment.id === id && payment.block === null);
  if (!found) throw new CoinNodeRefusal(-5, 'Transaction not in mempool');
  return { time: found.at };
}

/** An output in a block that nothing spends, whoever it belongs to. */
function unspentOutput(chain: Chain, params: Params) {
  const output = chain.state.outputs[`${text(params.txid)}:${params.n}`];
  if (output === undefined || output.block === null || output.spentBy !== null) return null;
  return { confirmations: chain.state.height - output.block + 1 };
}

function listSinceBlock(chain: Chain, params: Params) {
  const since = text(params.blockhash);
  let height = chain.state.height;
  while (height > 0 && blockHash(height) !== since) height -= 1;
  if (height === 0) throw new CoinNodeRefusal(-5, 'Block not found');
  const payments = chain.state.payments.filter((payment) => payment.block === null || payment.block > height);
  return {
    transactions: payments.map((payment) => ({
      txid: payment.id,
      confirmations: confirmationsOf(chain, payment),
    })),
    lastblock: blockHash(chain.state.height),
  };
}

/** The newest `count` outputs of payments after skipping `skip`, oldest first. Change is left out. */
function listTransactions(chain: Chain, params: Params) {
  const entries = chain.state.payments.flatMap((payment) =>
    decode(payment.bytesHex).outputs.flatMap((output, vout) => {
      const address = addressOf(chain, output.script);
      if (isOwn(chain, address)) return [];
      return [
        {
          category: 'send',
          address,
          amount: coin(0n - output.amount),
          vout,
          txid: payment.id,
          confirmations: confirmationsOf(chain, payment),
          time: payment.at,
          timereceived: payment.at,
        },
      ];
    }),
  );
  const end = entries.length - Number(params.skip ?? 0);
  return entries.slice(Math.max(0, end - Number(params.count ?? 10)), Math.max(0, end));
}

function createFunded(chain: Chain, params: Params) {
  const recipients = recipientsOf(params.outputs);
  const [recipient] = recipients;
  if (!recipient || recipients.length !== 1) throw new CoinNodeRefusal(-8, 'Exactly one output is supported');
  if (!scriptOf(chain, recipient.address)) {
    throw new CoinNodeRefusal(-5, `Invalid address: ${recipient.address}`);
  }
  const options = (params.options ?? {}) as { lockUnspents?: boolean };
  const { payment, feeUnits, changePosition } = fund(chain, recipient, options.lockUnspents === true);
  return { psbt: toPsbt(payment), fee: coin(feeUnits), changepos: changePosition };
}

function createRaw(chain: Chain, params: Params) {
  const inputs = (params.inputs as { txid: string; vout: number }[]).map((input) => ({
    transactionId: input.txid,
    index: input.vout,
  }));
  return encode(build(chain, inputs, recipientsOf(params.outputs)));
}

function listUnspent(chain: Chain) {
  return spendable(chain).flatMap(([key, output]) => {
    const [txid, vout] = key.split(':');
    const confirmations = output.block === null ? 0 : chain.state.height - output.block + 1;
    if (chain.locked.has(key)) return [];
    return [
      {
        txid,
        vout: Number(vout),
        address: output.address,
        amount: coin(BigInt(output.units)),
        confirmations,
      },
    ];
  });
}

function lockUnspent(chain: Chain, params: Params) {
  const keys = ((params.transactions ?? []) as { txid: string; vout: number }[]).map(
    (one) => `${one.txid}:${one.vout}`,
  );
  for (const key of keys) {
    const output = chain.state.outputs[key];
    if (!output) throw new CoinNodeRefusal(-8, 'Invalid parameter, unknown transaction');
    if (output.spentBy !== null) throw new CoinNodeRefusal(-8, 'Invalid parameter, expected unspent output');
    if (chain.locked.has(key) !== (params.unlock === true)) {
      const state = params.unlock === true ? 'expected locked output' : 'output already locked';
      throw new CoinNodeRefusal(-8, `Invalid parameter, ${state}`);
    }
  }
  for (const key of keys) params.unlock === true ? chain.locked.delete(key) : chain.locked.add(key);
  if (params.unlock === true && params.transactions === undefined) chain.locked.clear();
  return true;
}

function decoded(chain: Chain, payment: Payment) {
  return {
    txid: idOf(payment),
    version: payment.version,
    locktime: payment.lockTime,
    vin: payment.inputs.map((input) => {
      const [txid, vout] = keyOf(input).split(':');
      return { txid, vout: Number(vout), sequence: input.sequence };
    }),
    vout: payment.outputs.map((output, n) => {
      const address = addressOf(chain, output.script);
      return {
        value: coin(output.amount),
        n,
        scriptPubKey: address === null ? {} : { addresses: [address] },
      };
    }),
  };
}

function recipientsOf(outputs: unknown): { address: string; units: bigint }[] {
  const records = (Array.isArray(outputs) ? outputs : [outputs]) as Record<string, unknown>[];
  return records.flatMap((record) =>
    Object.entries(record ?? {}).map(([address, amount]) => ({ address, units: units(amount) })),
  );
}

function units(amount: unknown): bigint {
  const match = /^(\d{1,9})(?:\.(\d{1,8}))?$/.exec(String(amount));
  if (!match) throw new CoinNodeRefusal(-3, 'Invalid amount');
  return BigInt(match[1] ?? '0') * 100_000_000n + BigInt((match[2] ?? '').padEnd(8, '0'));
}

/** Writes an amount as the node does: a JSON number with eight decimals. */
function coin(amount: bigint): unknown {
  const magnitude = amount < 0n ? -amount : amount;
  const decimals = String(magnitude % 100_000_000n).padStart(8, '0');
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(
    `${amount < 0n ? '-' : ''}${magnitude / 100_000_000n}.${decimals}`,
  );
}

const PSBT = Buffer.from('psbt\xff', 'latin1');

function toPsbt(payment: Payment): string {
  return Buffer.concat([PSBT, Buffer.from(encode(payment), 'hex')]).toString('base64');
}

function fromPsbt(psbt: string): Payment {
  const bytes = Buffer.from(psbt, 'base64');
  if (!bytes.subarray(0, PSBT.length).equals(PSBT)) {
    throw new CoinNodeRefusal(-22, 'TX decode failed invalid base64');
  }
  return decode(bytes.subarray(PSBT.length).toString('hex'));
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new CoinNodeRefusal(-3, 'JSON value is not a string as expected');
  return value;
}

function blockHash(height: number): string {
  return createHash('sha256').update(`sandbox block ${height}`).digest('hex');
}
