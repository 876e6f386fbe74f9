import { type SentenceName, sentence } from '#contract/operator-sentences.ts';

/**
 * What an operator can do about an error of a Core-family node. The node's own words, which are English, stand behind
 * the sentence.
 */
const known: readonly (readonly [words: RegExp, name: NodeErrorName])[] = [
  [/fee estimation failed|fallbackfee/i, 'node-estimates-no-fee'],
  [/insufficient funds/i, 'wallet-lacks-coins'],
  [/keypool ran out/i, 'wallet-lacks-keys'],
  [/transaction (is )?too large|tx-size/i, 'wallet-coins-too-small'],
  [/fee exceeds maximum|maxtxfee|max-fee-exceeded|absurdly-high-fee/i, 'node-fee-above-cap'],
  [/(relay|mempool min) fee not met|insufficient fee/i, 'node-fee-below-floor'],
  [/too-long-mempool-chain|too many unconfirmed|exceeds ancestor/i, 'node-chain-too-long'],
];

export type NodeErrorName = Extract<
  SentenceName,
  | 'node-estimates-no-fee'
  | 'wallet-lacks-coins'
  | 'wallet-lacks-keys'
  | 'wallet-coins-too-small'
  | 'node-fee-above-cap'
  | 'node-fee-below-floor'
  | 'node-chain-too-long'
  | 'node-says'
>;

/** An error of a node, for operators: what to do, then the node's code and words. */
export function sentenceOfError({ code, message }: { code: number; message: string }): string {
  const name = known.find(([words]) => words.test(message))?.[1] ?? 'node-says';
  return `${sentence(name)} ${code}: ${message}`;
}
