import { z } from 'zod';
import { sentence } from '#contract/operator-sentences.ts';
import { parseLosslessly } from '../../lossless-json.ts';
import type { CoinInput } from './wallet.ts';

/**
 * The artifact of a coin payment: the signed bytes, the coins that they spend, and the block after which a search for a
 * rival starts.
 */
const VERSION = 1;
const shape = z.object({
  version: z.literal(VERSION),
  bytesHex: z.string().min(1),
  inputs: z.array(z.object({ transactionId: z.string(), outputIndex: z.number().int() })).min(1),
  /** Decimal text in whole coins. */
  networkFee: z.string(),
  /** The chain's newest block before signing. A rival that spends the same coins is in a later block. */
  afterBlock: z.string(),
});

export type CoinArtifact = { bytesHex: string; inputs: CoinInput[]; networkFee: string; afterBlock: string };

export const UNREADABLE_ARTIFACT = sentence('artifact-unreadable');

/** Parses a stored artifact. Undefined if it has another version or shape. */
export function findArtifact(artifact: string): CoinArtifact | undefined {
  return shape.safeParse(parseLosslessly(artifact)).data;
}

export function writeArtifact({ bytesHex, inputs, networkFee, afterBlock }: CoinArtifact): string {
  return JSON.stringify({ version: VERSION, bytesHex, inputs, networkFee, afterBlock });
}
