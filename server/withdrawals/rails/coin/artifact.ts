import { z } from 'zod';
import type { CoinInput } from './wallet.ts';

/**
 * The artifact of a coin payment: the signed bytes, the coins that they spend, and the block after which a search for a
 * rival starts.
 */
const shape = z.object({
  bytesHex: z.string().min(1),
  inputs: z.array(z.object({ transactionId: z.string(), outputIndex: z.number().int() })),
  /** Decimal text in whole coins. */
  networkFee: z.string(),
  /** The chain's newest block before signing. A rival that spends the same coins is in a later block. */
  afterBlock: z.string(),
});

export type CoinArtifact = { bytesHex: string; inputs: CoinInput[]; networkFee: string; afterBlock: string };

/** Throws on a text of another shape. */
export function readArtifact(artifact: string): CoinArtifact {
  return shape.parse(JSON.parse(artifact));
}

export function writeArtifact({ bytesHex, inputs, networkFee, afterBlock }: CoinArtifact): string {
  return JSON.stringify({ bytesHex, inputs, networkFee, afterBlock });
}
