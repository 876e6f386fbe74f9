import type { ConnectionStep } from '#contract/connection.ts';

/** The wallet of a coin's node, in a coin's terms. `coin-rail.ts` maps them to a rail's terms. */
export type CoinWallet = {
  readState: () => Promise<WalletState>;
  /** Whether the node answers, follows the right chain and has a wallet that can sign. Ends at the first fault. */
  testConnection: () => Promise<ConnectionStep[]>;
  /** Asks whether the node can pay this address. Checksum and network were checked before. */
  validateAddress: (address: string) => Promise<AddressVerdict>;
  /** Builds and signs a payment that uses none of the reserved inputs. */
  sign: (order: CoinOrder, reservedInputs: readonly CoinInput[]) => Promise<SignOutcome>;
  broadcast: (bytesHex: string) => Promise<BroadcastOutcome>;
  status: (transactionId: string) => Promise<TransactionStatus>;
  /** Whether the node would still relay an unconfirmed transaction. */
  findInMempool: (transactionId: string) => Promise<MempoolStatus>;
  /**
   * Searches for another payment that spent one of the inputs after the given block. Of several it returns one that
   * pays the address, else the deepest.
   */
  findRival: (inputs: readonly CoinInput[], afterBlock: string, address: string) => Promise<RivalOutcome>;
  /**
   * Finds a transaction of any wallet in the node's mempool, or in a block as long as one of its first outputs is not
   * spent.
   */
  findAnywhere: (transactionId: string, inputs: readonly CoinInput[]) => Promise<AnywhereOutcome>;
  /** Finds a transaction that the wallet lists, by any spelling of its id, and the amount that it pays the address. */
  find: (transactionId: string, address: string) => Promise<FindOutcome>;
  /** Lists the outputs of the wallet's payments since a time, without change. */
  list: (since: Date) => Promise<SentListing>;
};

/**
 * The amount is decimal text with eight decimals. All of it reaches the address. The network fee is paid in addition.
 */
export type CoinOrder = { address: string; coinAmount: string };
export type CoinInput = { transactionId: string; outputIndex: number };

/** A payment as it is stored before it is sent. */
export type CoinPayment = { transactionId: string; bytesHex: string; inputs: CoinInput[] };

export type WalletState =
  /** `topUpDestination`: always the same one of the wallet; null if the node gives none. */
  | { kind: 'ready'; network: string; balance: string; topUpDestination: string | null }
  | { kind: 'unavailable'; reason: string };

export type AddressVerdict =
  | { kind: 'valid' }
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; reason: string };

export type SignOutcome =
  | ({
      kind: 'signed';
      /** Decimal text in whole coins. */
      networkFee: string;
      /** The chain's newest block before signing. */
      afterBlock: string;
    } & CoinPayment)
  /** The order can never be paid. Another attempt would end the same. */
  | { kind: 'refused'; reason: string }
  /** No payment was signed. Try later. */
  | { kind: 'unavailable'; reason: string };

export type BroadcastOutcome =
  | { kind: 'accepted' }
  | { kind: 'already-mined' }
  /** An input is spent, or this payment was mined and its outputs are spent. `status` distinguishes the two. */
  | { kind: 'missing-inputs'; reason: string }
  | { kind: 'refused-by-policy'; reason: string }
  /** The bytes are not a transaction, which is our fault. Sending them again changes nothing. */
  | { kind: 'undecodable'; reason: string }
  /** The call certainly did not run. */
  | { kind: 'unavailable'; reason: string }
  /** The call may have run. */
  | { kind: 'unknown'; reason: string };

export type TransactionStatus =
  /** 0 confirmations: the node has the payment, but no block contains it. */
  | { kind: 'known'; confirmations: number }
  /** Another payment that spends an input is `depth` blocks deep. */
  | { kind: 'conflicted'; depth: number }
  | { kind: 'absent' }
  | { kind: 'unknown'; reason: string };

export type MempoolStatus = { kind: 'inside' } | { kind: 'outside' } | { kind: 'unknown'; reason: string };

/** `unseen` is no proof: all outputs may be spent, or another node may have it. */
export type AnywhereOutcome = { kind: 'seen' | 'sendable' | 'unseen' } | { kind: 'unknown'; reason: string };

export type RivalOutcome =
  | { kind: 'none' }
  /** `paidUnits` is the amount that it pays the address. `inputs` are all inputs that it spends. */
  | ({ kind: 'rival'; depth: number; paidUnits: bigint } & CoinPayment)
  | { kind: 'unknown'; reason: string };

export type FindOutcome =
  | ({ kind: 'found'; paidUnits: bigint; newestBlock: string } & CoinPayment)
  /**
   * Another transaction has its coins; null if it is not known which. `depth` counts from the block of that one; 0 if
   * none of the node's chain has it.
   */
  | { kind: 'replaced'; by: string | null; depth: number }
  | { kind: 'absent' }
  | { kind: 'unknown'; reason: string };

export type SentOutput = {
  transactionId: string;
  at: Date;
  /** Empty for an output without an address. */
  address: string;
  amountUnits: bigint;
  /** Negative if another transaction that spends the same coins is that many blocks deep. */
  confirmations: number;
};

export type SentListing =
  /** `seedId` identifies the wallet's keys; null for a wallet without a seed. */
  { kind: 'listed'; seedId: string | null; outputs: SentOutput[] } | { kind: 'unknown'; reason: string };
