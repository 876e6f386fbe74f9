import type { ReplyOf } from '#contract/endpoint.ts';
import type * as contract from '#contract/members-operators.ts';
import type { Reader } from '#platform/database.ts';
import * as queries from './queries.ts';

/** Reads the operators of now, the earliest first. */
export const readOperators = async (reader: Reader): Promise<ReplyOf<typeof contract.readOperators>> =>
  (await queries.readOperators(reader)).map(({ id, ...operator }) => ({ ...operator, id: String(id) }));
