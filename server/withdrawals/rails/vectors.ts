import type { Scalar } from './rail.ts';

/**
 * A rail's facts for the tests of all rails, exported by its folder's `vectors.ts`. Tests use the configuration of
 * `test/withdrawals-world.ts`, in which every network is regtest.
 */
export type RailVectors = {
  /** Valid recipients of requests, each with the text that is stored and paid. */
  right: readonly { given: Record<string, string>; canonical: string }[];
  wrong: readonly Record<string, string>[];
  /** A complete account. The values of secret credentials begin with `canary`. */
  credentials: Record<string, Scalar>;
  /** Starts an outside party for a test; null for a rail that can't be connected. */
  start: ((t: Lifetime) => Promise<OutsideParty>) | null;
};

type Lifetime = { after: (work: () => Promise<void>) => void };

export type OutsideParty = {
  /** The credentials of an account that can pay. */
  credentials: Record<string, Scalar>;
  /** Returns the `recipientInfo` of a new recipient. */
  recipient: () => Record<string, string>;
  /** Makes all sent payments final. */
  settle: () => Promise<void>;
  /** Lists the amounts that a destination received, one per payment, in units of 10⁻⁸. */
  paidTo: (destination: string) => Promise<bigint[]>;
  /** Stops it, so that it answers no more calls. */
  stop: () => Promise<void>;
};
