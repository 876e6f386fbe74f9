import { decisionId } from '#contract/decisions.ts';
import type { DecisionPlace } from './queries.ts';

/** The ids of decisions: the feature's word and the number there, such as `suspension-12`. */

export const idOf = ({ source, sourceId }: DecisionPlace): string => `${source}-${sourceId}`;

/** The decision of an id; null for a text that is none. */
export function placeOf(id: string): DecisionPlace | null {
  if (!decisionId.safeParse(id).success) return null;
  const [source, number] = id.split('-') as [DecisionPlace['source'], string];
  return { source, sourceId: BigInt(number) };
}
