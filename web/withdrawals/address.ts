import { findRail, type RailFacts } from '#web/ui/rails.ts';

/**
 * What can be said about an address while it is typed. The server has the last word (checksum and network), so this
 * only catches an address of one coin under another, and otherwise hints.
 */
export type AddressLook = 'empty' | 'unsure' | 'right' | `of-${string}`;

const fits = ({ destination }: RailFacts, address: string): boolean =>
  destination !== null && new RegExp(destination.pattern).test(address);

export function lookOf(rails: readonly RailFacts[] | undefined, method: string, typed: string): AddressLook {
  const address = typed.trim();
  if (address === '') return 'empty';
  const own = findRail(rails, method);
  if (fits(own, address)) return 'right';
  if (own.destination?.kind !== 'code') return 'unsure';
  const other = rails?.find((rail) => rail.destination?.kind === 'code' && fits(rail, address));
  return other === undefined ? 'unsure' : `of-${other.method}`;
}
