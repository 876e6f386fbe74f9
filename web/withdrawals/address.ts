import { findRail, type RailFacts } from '#web/ui/rails.ts';

/**
 * The class of an address while it is typed. Only the server checks checksum and network. This check refuses an address
 * of another coin and marks a well-formed one.
 */
export type AddressClass = 'empty' | 'unsure' | 'right' | `of-${string}`;

const matchesPattern = ({ destination }: RailFacts, address: string): boolean =>
  destination !== null && new RegExp(destination.pattern).test(address);

export function classifyAddress(
  rails: readonly RailFacts[] | undefined,
  method: string,
  typed: string,
): AddressClass {
  const address = typed.trim();
  if (address === '') return 'empty';
  const own = findRail(rails, method);
  if (own === undefined) return 'unsure';
  if (matchesPattern(own, address)) return 'right';
  if (own.destination?.kind !== 'code') return 'unsure';
  const other = rails?.find((rail) => rail.destination?.kind === 'code' && matchesPattern(rail, address));
  return other === undefined ? 'unsure' : `of-${other.method}`;
}
