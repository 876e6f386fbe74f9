import { addressFaults } from '#contract/address-faults.ts';
import { fillSentence } from '#contract/operator-sentences.ts';
import type { Config } from '#platform/config.ts';
import { type Refusal, refuse } from '#platform/refusal.ts';
import { oneOf } from './rails/address-destination.ts';
import type { CanonicalDestination, RailDefinition } from './rails/rail.ts';
import { rails } from './rails/registry.ts';

/** The refusal of a destination that is one of another method, which it names. Undefined if it is of none. */
export function otherMethodRefusal(
  { name, destination }: RailDefinition,
  recipient: Record<string, string>,
  { facts }: Extract<CanonicalDestination, { kind: 'refused' }>,
  config: Config,
): Refusal | undefined {
  const beginnings = destination?.code?.(config).beginnings;
  const other = rails.find(
    (rail) => rail.destination?.code && rail.destination.canonical(recipient, config).kind === 'canonical',
  );
  if (beginnings === undefined || other === undefined) return undefined;
  const values = { name, other: other.name, beginnings: oneOf(beginnings) };
  const reason = fillSentence(addressFaults['other-method'], values);
  return refuse('invalid-address', reason, { ...facts, fault: 'other-method', method: other.id });
}
