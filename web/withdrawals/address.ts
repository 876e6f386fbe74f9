import type { AddressFault } from '#contract/address-faults.ts';
import { type ForeignCoin, judgeAddress } from '#contract/destination-code.ts';
import { findRail, type RailFacts } from '#web/ui/rails.ts';

/**
 * What an address is while it is typed, by the rule of the server. One of a form without a checksum is right if it
 * looks right, else unsure.
 */
export type TypedDestination =
  | { state: 'empty' | 'unsure' | 'right' }
  | { state: 'unfinished'; length: number; whole: number }
  | { state: 'wrong'; fault: AddressFault; coin?: ForeignCoin }
  /** An address of another method. */
  | { state: 'other'; method: string };

const isOf = ({ destination }: RailFacts, address: string): boolean => {
  if (destination === null || destination.kind !== 'code') return false;
  if (destination.code === null) return new RegExp(destination.pattern).test(address);
  return judgeAddress(address, destination.code).state === 'right';
};

export function classifyAddress(
  rails: readonly RailFacts[] | undefined,
  method: string,
  typed: string,
): TypedDestination {
  const address = typed.trim();
  if (address === '') return { state: 'empty' };
  const own = findRail(rails, method)?.destination;
  if (own?.code == null && own != null && new RegExp(own.pattern).test(address)) return { state: 'right' };
  const judged = own?.code == null ? undefined : judgeAddress(address, own.code);
  if (judged?.state === 'right' || judged?.state === 'unfinished') return judged;
  const other = own?.kind === 'code' ? rails?.find((rail) => isOf(rail, address)) : undefined;
  if (other !== undefined) return { state: 'other', method: other.method };
  return judged ?? { state: 'unsure' };
}
