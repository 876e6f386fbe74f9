import type { Scalar } from './rail.ts';

/**
 * What the suites for all rails need to know of one; each folder's `vectors.ts` exports it. Tests use the configuration
 * of `test/withdrawals-world.ts`, in which every network is regtest.
 */
export type RailVectors = {
  /** What a request may name, and the one text that is stored and paid. */
  right: readonly { given: Record<string, string>; canonical: string }[];
  wrong: readonly Record<string, string>[];
  /** A whole account. The values of secret credentials begin with `canary`. */
  credentials: Record<string, Scalar>;
  /** Starts an outside party for a test; null for a rail that can't be connected. */
  start: ((t: Lifetime) => Promise<OutsideParty>) | null;
};

type Lifetime = { after: (work: () => Promise<void>) => void };

export type OutsideParty = {
  /** The credentials of an account at it that can pay. */
  credentials: Record<string, Scalar>;
  /** The `recipientInfo` of somebody who was never paid. */
  recipient: () => Record<string, string>;
  /** Makes everything that was sent final. */
  settle: () => Promise<void>;
  /** What reached a destination, one amount a payment, in units of 10⁻⁸. */
  paidTo: (destination: string) => Promise<bigint[]>;
  /** From now on it answers nothing. */
  stop: () => Promise<void>;
};
