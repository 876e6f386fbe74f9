import { type ChainPlace, chainActs, findChainHash } from './act-chain.ts';
import { type Database, type Reader, sql } from './database.ts';
import type { Log } from './log.ts';

/**
 * Places of the audit trail, for whoever notes outside the database how far the trail was. An act has its place once it
 * is chained; the place is on the disk then, and it never changes.
 */
export type ActPlace = ChainPlace;

/** Reads the newest place; number 0 without a hash if there is none. */
export const readNewestAct = async (reader: Reader): Promise<ActPlace> =>
  (await reader.row<ActPlace>(sql`
    select chain_number as number, chain_hash as hash from platform.acts
    where chain_number is not null order by chain_number desc limit 1`)) ?? { number: 0n, hash: '' };

/** Whether the trail has this act at this place now. Every trail has number 0. */
export const isActAt = async (reader: Reader, { number, hash }: ActPlace): Promise<boolean> =>
  number === 0n || (await findChainHash(reader, number)) === hash;

/**
 * The same, after acts without a place have got one. A server that lost its last commits may have an act and not its
 * place, and the act gets the same one again.
 */
export async function hasAct(parts: { database: Database; log: Log }, place: ActPlace): Promise<boolean> {
  if (await isActAt(parts.database, place)) return true;
  await chainActs(parts);
  return isActAt(parts.database, place);
}
