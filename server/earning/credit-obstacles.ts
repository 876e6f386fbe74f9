import type { Config } from '#platform/config.ts';
import type { Reader } from '#platform/database.ts';
import { type Refusal, refuse } from '#platform/refusal.ts';
import { readSettings } from '#platform/settings.ts';
import type { NoticeParts } from '../notices/notices.ts';
import type { CreditObstacle } from './decision-queries.ts';

/** When one operator may not credit alone: the rule is `earning.credit_obstacle`. */

/** What a decision about a credit needs. */
export type DecisionParts = NoticeParts & { config: Pick<Config, 'mode'> };

/** The sum for two people; null if there is none. */
export async function readSecondPersonPoints(reader: Reader, mode: Config['mode']): Promise<bigint | null> {
  const { secondPersonFrom } = (await readSettings(reader, mode)).caps;
  return secondPersonFrom === null ? null : BigInt(secondPersonFrom);
}

/** The refusal of a decision. An approval that was recorded says so. */
export function refusalOfObstacle(obstacle: CreditObstacle): Refusal {
  if (obstacle === 'own_provider_change') return refuse('own-provider-change');
  const isRecorded = obstacle === 'first_approval';
  return refuse('second-operator-needed', undefined, { isRecorded });
}
