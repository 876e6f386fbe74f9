/**
 * What every way to pay out offers, in our words. A payment is made in two steps, so that it happens once even if the
 * process dies at any instruction: `sign` builds something that has no effect yet and names its id; the caller stores
 * it; `broadcast` makes it happen and may be repeated for ever with the same bytes. A rail without a chain keeps to the
 * same steps: its bytes are the request that it will send, under an id that makes the request repeatable.
 *
 * No function here throws because the outside party failed: an answer that did not come is a value, and the caller
 * decides. What throws is a broken assumption.
 */
export type Rail = {
  /** Whether the outside party takes this address, beyond checksum and network. */
  validateAddress: (address: string) => Promise<AddressVerdict>;
  /** Builds and signs a payment that uses none of the reserved inputs. */
  sign: (order: PaymentOrder, reservedInputs: readonly CoinInput[]) => Promise<SignOutcome>;
  broadcast: (bytesHex: string) => Promise<BroadcastOutcome>;
  status: (transactionId: string) => Promise<PaymentStatus>;
  /**
   * Looks for another payment that spent one of the inputs after the given place in the chain; of several, for one that
   * pays the address, else for the deepest.
   */
  findRival: (inputs: readonly CoinInput[], afterBlock: string, address: string) => Promise<RivalOutcome>;
};

/** An amount is coin text with eight decimals; all of it reaches the address, the network fee comes on top. */
export type PaymentOrder = { address: string; coinAmount: string };
export type CoinInput = { transactionId: string; outputIndex: number };

/** A payment as it is stored before it is sent. */
export type Payment = { transactionId: string; bytesHex: string; inputs: CoinInput[] };

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
    } & Payment)
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
  /** The bytes are no payment at all, which is our fault and nobody's to repeat. */
  | { kind: 'undecodable'; reason: string }
  /** It certainly did not run. */
  | { kind: 'unavailable'; reason: string }
  /** It may have run. */
  | { kind: 'unknown'; reason: string };

export type PaymentStatus =
  /** 0 confirmations: known, not yet in a block. */
  | { kind: 'known'; confirmations: number }
  /** Another payment that spends an input is `depth` blocks deep. */
  | { kind: 'conflicted'; depth: number }
  | { kind: 'absent' }
  | { kind: 'unknown'; reason: string };

export type RivalOutcome =
  | { kind: 'none' }
  /** `paidUnits` is what it pays the address, `inputs` all that it spends. */
  | ({ kind: 'rival'; depth: number; paidUnits: bigint } & Payment)
  | { kind: 'unknown'; reason: string };
