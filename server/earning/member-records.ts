import type { Reader } from '#platform/database.ts';
import * as queries from './member-records-queries.ts';
import { providers } from './providers/registry.ts';

/** What operators see of members from their earnings. */

/** Finds the members of a provider's transaction id. Two providers can use the same one. */
export async function findEarners(reader: Reader, transactionId: string): Promise<number[]> {
  const found = await queries.findEarners(reader, transactionId);
  return found.map(({ memberId }) => memberId);
}

/** Reads what providers' reversals took from a member. */
export const readReversalTotals = async (
  reader: Reader,
  memberId: number,
): Promise<{ reversalCount: bigint; takenPoints: bigint }> =>
  (await queries.findReversalTotals(reader, memberId)) ?? { reversalCount: 0n, takenPoints: 0n };

/** How many of the newest movements of a member are looked at. */
const MOVEMENTS_MAX = 200;

/** Reads how fast these members earn, and how often that was reversed. */
export const listEarningPaces = (
  reader: Reader,
  memberIds: readonly number[],
): Promise<queries.EarningPace[]> => queries.listEarningPaces(reader, memberIds, MOVEMENTS_MAX);

/** So many surveys in a row are compared with their stated length. */
const SURVEYS = 5;

const surveyProviders = [...providers.values()]
  .filter(({ kind }) => kind === 'survey')
  .map(({ id, pays }) => ({ provider: id, minutes: pays.minutesMin }));

/** Reads the quickest surveys of these members in a row, of those who earn now, and how long they are at least. */
export const listSurveyPaces = (
  reader: Reader,
  memberIds: readonly number[],
): Promise<queries.SurveyPace[]> =>
  queries.listSurveyPaces(reader, memberIds, surveyProviders, {
    surveys: SURVEYS,
    movementsMax: MOVEMENTS_MAX,
  });

/** Counts the credits of these members that wait for an operator because of a detection, up to a limit. */
export const countHeldByDetection = async (
  reader: Reader,
  memberIds: readonly number[],
  limit: number,
): Promise<number> => (await queries.countHeldByDetection(reader, memberIds, limit)).count;
