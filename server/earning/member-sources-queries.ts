import type { MovementKind } from '#contract/movement-kinds.ts';
import { type Reader, sql } from '#platform/database.ts';
import type { ReasonClass } from './queries.ts';

/** SQL of where a member's points came from, and of what was taken back. */

export type SourceRow = {
  kind: MovementKind;
  provider: string | null;
  points: string;
  takenPoints: string;
  creditCount: bigint;
  /** The time of the oldest credit. */
  since: Date | null;
  isWhole: boolean;
};

export const readSources = (reader: Reader, memberId: number, creditsMax: number, movementsMax: number) =>
  reader.rows<SourceRow>(sql`
    select kind, provider, points::text, taken_points::text as "takenPoints", credit_count as "creditCount", since,
      is_whole as "isWhole"
    from earning.sources_of(${memberId}, ${creditsMax}, ${movementsMax})`);

export type NamedReversal = { providerName: string; reasonClass: ReasonClass; takenPoints: bigint; at: Date };

export const listReversalsSince = (reader: Reader, memberId: number, moment: Date, limit: number) =>
  reader.rows<NamedReversal>(sql`
    select coalesce(p.name, r.provider) as "providerName", r.reason_class as "reasonClass",
      r.taken_points as "takenPoints", r.created_at as at
    from earning.reversals_since(${memberId}, ${moment}, ${limit}) r left join earning.providers p on p.id = r.provider
    order by r.created_at desc`);
