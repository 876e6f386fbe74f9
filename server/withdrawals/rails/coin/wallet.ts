/** What the wallet of a coin's node offers, in a coin's words. `coin-rail.ts` turns them into a rail's. */
export type CoinWallet = {
  readState: () => Promise<WalletState>;
  /** Whether the node takes this address, beyond checksum and network. */
  validateAddress: (address: string) => Promise<AddressVerdict>;
  /** Builds and signs a payment that uses none of the reserved inputs. */
  sign: (order: CoinOrder, reservedInputs: readonly CoinInput[]) => Promise<SignOutcome>;
  broadcast: (bytesHex: string) => Promise<BroadcastOutcome>;
  status: (transactionId: string) => Promise<TransactionStatus>;
  /**
   * Looks for another payment that spent one of the inputs after the given place in the chain; of several, for one that
   * pays the address, else for the deepest.
   */
  findRival: (inputs: readonly CoinInput[], afterBlock: string, address: string) => Promise<RivalOutcome>;
  /** The wallet's own payments since a time, each transaction once, newest first. */
  list: (since: Date) => Promise<SentListing>;
};

/** An amount is coin text with eight decimals; all of it reaches the address, the network fee comes on top. */
export type CoinOrder = { address: string; coinAmount: string };
export type CoinInput = { transactionId: string; outputIndex: number };

/** A payment as it is stored before it is sent. */
export type CoinPayment = { transactionId: string; bytesHex: string; inputs: CoinInput[] };

export type WalletState =
  | { kind: 'ready'; network: string; balance: string }
  | { kind: 'unavailable'; reason: string };

export type AddressVerdict =
  | { kind: 'valid' }
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; reason: string };

export type SignOutcome =
  | ({
      kind: 'signed';
      /** In coin text. */
      networkFee: string;
      /** The chain's newest block before signing. */
      afterBlock: string;
    } & CoinPayment)
  /** Never payable as ordered: another try would end the same. */
  | { kind: 'refused'; reason: string }
  /** Nothing was made; try later. */
  | { kind: 'unavailable'; reason: string };

export type BroadcastOutcome =
  | { kind: 'accepted' }
  | { kind: 'already-mined' }
  /** An input is spent, or this very payment was mined and spent on: `status` tells which. */
  | { kind: 'missing-inputs'; reason: string }
  | { kind: 'refused-by-policy'; reason: string }
  /** The bytes are no payment at all, which is our fault; sending them again changes nothing. */
  | { kind: 'undecodable'; reason: string }
  /** It certainly did not run. */
  | { kind: 'unavailable'; reason: string }
  /** It may have run. */
  | { kind: 'unknown'; reason: string };

export type TransactionStatus =
  /** 0 confirmations: known, not yet in a block. */
  | { kind: 'known'; confirmations: number }
  /** Another payment that spends an input is `depth` blocks deep. */
  | { kind: 'conflicted'; depth: number }
  | { kind: 'absent' }
  | { kind: 'unknown'; reason: string };

export type RivalOutcome =
  | { kind: 'none' }
  /** `paidUnits` is what it pays the address, `inputs` all that it spends. */
  | ({ kind: 'rival'; depth: number; paidUnits: bigint } & CoinPayment)
  | { kind: 'unknown'; reason: string };

export type SentListing =
  | { kind: 'listed'; payments: { transactionId: string; at: Date }[] }
  | { kind: 'unknown'; reason: string };
