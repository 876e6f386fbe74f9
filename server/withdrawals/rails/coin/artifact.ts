import { z } from 'zod';
import type { CoinInput } from './wallet.ts';

/**
 * The artifact of a coin payment: the signed bytes, the coins that they spend, and where in the chain to look on
 * from.
 */
const shape = z.object({
  bytesHex: z.string().min(1),
  inputs: z.array(z.object({ transactionId: z.string(), outputIndex: z.number().int() })),
  /** In coin text. */
  networkFee: z.string(),
  /** The chain's newest block before signing; a rival that spends the same coins lies after it. */
  afterBlock: z.string(),
});

export type CoinArtifact = { bytesHex: string; inputs: CoinInput[]; networkFee: string; afterBlock: string };

/** Throws on a text that `writeArtifact` did not make. */
export function readArtifact(artifact: string): CoinArtifact {
  return shape.parse(JSON.parse(artifact));
}

export function writeArtifact({ bytesHex, inputs, networkFee, afterBlock }: CoinArtifact): string {
  return JSON.stringify({ bytesHex, inputs, networkFee, afterBlock });
}
