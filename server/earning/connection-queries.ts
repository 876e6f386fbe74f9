import { type Reader, sql } from '#platform/database.ts';

export type StoredCall = { at: Date; raw: string; verdict: string };

/**
 * The newest calls of a provider that its signature decided about, among the newest `amongMax` of all. So the read has
 * a bound however many calls there are.
 */
export const readNewestCalls = (reader: Reader, provider: string, amongMax: number, countMax: number) =>
  reader.rows<StoredCall>(sql`
    select at, raw, verdict
    from (select id, at, provider, raw, verdict from earning.postbacks order by id desc limit ${amongMax}) newest
    where provider = ${provider} and verdict not in ('unknown-provider', 'source-refused')
    order by id desc limit ${countMax}`);
