import { z } from 'zod';
import { sentence } from '#contract/operator-sentences.ts';
import type { Config } from '#platform/config.ts';
import { amountText, payoutUnits } from '../../payout-amount.ts';
import type {
  Account,
  Destination,
  PaymentStatus,
  PrepareOutcome,
  Rail,
  RailDefinition,
  SendOutcome,
} from '../rail.ts';
import type { CoinNetwork } from './addresses.ts';
import { findArtifact, UNREADABLE_ARTIFACT, writeArtifact } from './artifact.ts';
import type { CoinNodeAccess } from './coin-rpc.ts';
import { inspectPayment } from './inspect.ts';
import type { CoinInput, CoinWallet } from './wallet.ts';

/**
 * A rail that pays from the wallet of a Core-family node. `CoinFacts` has everything that differs between coins. The
 * deployment must allow the node's host, which is checked when it is set and when it is used. So operators can't make
 * the server call other hosts of its network.
 */
export type CoinFacts = {
  id: string;
  name: string;
  koreanName: string;
  symbol: string;
  rateId: string;
  destination: Destination;
  /** The default ports of the coin's node. The settings card shows one before an operator sets another. */
  usualPorts: Readonly<Record<CoinNetwork, number>>;
  /** Public pages of a transaction, with `{reference}` in place of its id. A node's own chain has none. */
  explorers: Readonly<Record<Exclude<CoinNetwork, 'regtest'>, string>>;
  networkOf: (config: Config) => CoinNetwork;
  wallet: WalletFactory;
};
export type WalletFactory = (access: CoinNodeAccess, chain: CoinNetwork) => CoinWallet;

/** The contract trims the texts. */
const trimmed = (lengthMax: number) => z.string().max(lengthMax, `At most ${lengthMax} characters`);

const credentialsShape = z.strictObject({
  rpcUser: trimmed(200).optional(),
  rpcPassword: trimmed(500).optional(),
  rpcHost: trimmed(254).optional(),
  rpcPort: z.number().int().min(1).max(65_535).optional(),
});

/** `confirmations`: the depth in the chain at which a payment is final. */
const settingsShape = z.strictObject({ confirmations: z.number().int().min(1).max(1_000).optional() });
const UNLISTED = sentence('transaction-unlisted');
const replacedBy = (by: string | null): string =>
  by === null ? sentence('transaction-replaced') : sentence('transaction-replaced-by', { transactionId: by });
const LIVE_CONFIRMATIONS = 6;
const SANDBOX_CONFIRMATIONS = 1;

export function coinRail(facts: CoinFacts): RailDefinition {
  return {
    id: facts.id,
    name: facts.name,
    koreanName: facts.koreanName,
    currency: { symbol: facts.symbol, rateId: facts.rateId },
    destination: facts.destination,
    explorer: (config) => {
      const network = facts.networkOf(config);
      return network === 'regtest' ? null : facts.explorers[network];
    },
    account: {
      credentials: credentialsShape,
      readable: ['rpcHost', 'rpcPort'],
      endpointNames: ['rpcHost', 'rpcPort'],
      initial: (config) => ({
        rpcUser: '',
        rpcPassword: '',
        rpcHost: '',
        rpcPort: facts.usualPorts[facts.networkOf(config)],
      }),
      findFault: ({ rpcHost }, config) =>
        rpcHost && !config.rpcAllowedHosts.includes(String(rpcHost))
          ? { name: 'rpcHost', message: sentence('host-not-allowed') }
          : undefined,
      settings: settingsShape,
    },
    connect: (account, config) => connect(facts, account, config),
  };
}

function connect(facts: CoinFacts, account: Account, config: Config): Rail | undefined {
  const network = facts.networkOf(config);
  const { rpcUser, rpcPassword, rpcHost, rpcPort } = credentialsShape.parse(account.credentials);
  const { confirmations } = settingsShape.parse(account.settings);
  if (!rpcUser || !rpcPassword || !rpcHost || !config.rpcAllowedHosts.includes(rpcHost)) return undefined;
  const port = rpcPort ?? facts.usualPorts[network];
  const timeoutMs = config.rpcTimeoutMs;
  const wallet = facts.wallet(
    { host: rpcHost, port, user: rpcUser, password: rpcPassword, timeoutMs },
    network,
  );
  const usual = config.mode === 'live' ? LIVE_CONFIRMATIONS : SANDBOX_CONFIRMATIONS;
  return railOn(facts, wallet, confirmations ?? usual);
}

function railOn(facts: CoinFacts, wallet: CoinWallet, confirmationsWanted: number): Rail {
  return {
    check: wallet.readState,
    testConnection: wallet.testConnection,
    quote: async ({ amountPoints, feePoints }, readRate) => {
      const rate = await readRate(facts.rateId);
      const amountUnits = payoutUnits(amountPoints, feePoints, rate);
      return amountUnits === 0n
        ? { kind: 'refused', reason: sentence('amount-too-small-for-coin') }
        : { kind: 'quoted', rate, amountUnits };
    },
    prepare: async ({ destination, amountUnits }, unfinished, sent) => {
      const order = { address: destination, coinAmount: amountText(amountUnits) };
      const reserved: CoinInput[] = [];
      for (const artifact of unfinished) {
        const payment = findArtifact(artifact);
        if (payment === undefined) return { kind: 'unreadable', artifact, reason: UNREADABLE_ARTIFACT };
        reserved.push(...payment.inputs);
      }
      for (const artifact of sent) reserved.push(...(findArtifact(artifact)?.inputs ?? []));
      return prepared(await wallet.sign(order, reserved));
    },
    send: async (artifact) => {
      const payment = findArtifact(artifact);
      if (payment === undefined) return { kind: 'refused', reason: UNREADABLE_ARTIFACT };
      return sendOutcomeOf(await wallet.broadcast(payment.bytesHex));
    },
    inspect: (payment): Promise<PaymentStatus> => inspectPayment(wallet, payment, confirmationsWanted),
    findAnywhere: ({ reference, artifact }) =>
      wallet.findAnywhere(reference, findArtifact(artifact)?.inputs ?? []),
    find: async (reference, destination) => {
      const found = await wallet.find(reference, destination);
      if (found.kind === 'absent') return { kind: 'absent', reason: UNLISTED };
      if (found.kind === 'replaced') {
        const isFinal = found.depth >= confirmationsWanted;
        return { kind: 'absent', reason: replacedBy(found.by), replaced: { by: found.by, isFinal } };
      }
      if (found.kind === 'unknown') return found;
      const { bytesHex, inputs, newestBlock: afterBlock, paidUnits } = found;
      const artifact = writeArtifact({ bytesHex, inputs, networkFee: '0.00000000', afterBlock });
      return { kind: 'found', payment: { reference: found.transactionId, artifact }, paidUnits };
    },
    list: async (since) => {
      const listing = await wallet.list(since);
      if (listing.kind !== 'listed') return listing;
      const payments = listing.outputs
        .filter(({ confirmations }) => confirmations > -confirmationsWanted)
        .map(({ transactionId, at, address, amountUnits, confirmations }) => ({
          reference: transactionId,
          at,
          destination: address,
          amountUnits,
          withdrawalId: null,
          isFinal: confirmations >= confirmationsWanted,
        }));
      return { kind: 'listed', account: listing.seedId, payments };
    },
  };
}

function prepared(outcome: Awaited<ReturnType<CoinWallet['sign']>>): PrepareOutcome {
  if (outcome.kind !== 'signed') return outcome;
  return { kind: 'prepared', reference: outcome.transactionId, artifact: writeArtifact(outcome) };
}

function sendOutcomeOf(outcome: Awaited<ReturnType<CoinWallet['broadcast']>>): SendOutcome {
  switch (outcome.kind) {
    case 'accepted':
    case 'already-mined':
      return { kind: 'sent' };
    case 'missing-inputs':
    case 'undecodable':
      return { kind: 'refused', reason: outcome.reason };
    case 'refused-by-policy':
    case 'unavailable':
    case 'unknown':
      return { kind: 'unknown', reason: outcome.reason };
  }
}
