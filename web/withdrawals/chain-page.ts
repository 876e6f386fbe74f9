import type { ReplyOf } from '#contract/endpoint.ts';
import type { readRails } from '#contract/withdrawals.ts';

type RailFacts = Pick<ReplyOf<typeof readRails>[number], 'explorer'>;

/** The public page of the payment of a request; null before it was sent, and where there is no such page. */
export const chainPageOf = ({ txId }: { txId: string | null }, { explorer }: RailFacts): string | null =>
  txId === null || explorer === null ? null : explorer.replace('{reference}', () => encodeURIComponent(txId));
