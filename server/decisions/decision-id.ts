import { type Decision, decisionId } from '#contract/decisions.ts';
import type { DecisionPlace, DecisionRow } from './queries.ts';

/** The ids and subjects of decisions. An id is the feature's word and the number there, such as `suspension-12`. */

export const idOf = ({ source, sourceId }: DecisionPlace): string => `${source}-${sourceId}`;

/** The decision of an id; null for a text that is none. */
export function placeOf(id: string): DecisionPlace | null {
  if (!decisionId.safeParse(id).success) return null;
  const [source, number] = id.split('-') as [DecisionPlace['source'], string];
  return { source, sourceId: BigInt(number) };
}

/** The points that a decision is about; null for one about no points. */
export const subjectOf = ({
  points,
  subject,
  place,
}: Pick<DecisionRow, 'points' | 'subject' | 'place'>): Decision['subject'] =>
  points === null || place === null ? null : { amount: points.toString(), name: subject, place };
