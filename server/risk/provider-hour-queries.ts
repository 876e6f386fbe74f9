import { type Reader, sql } from '#platform/database.ts';
import type { ProviderHour } from './rules/rule.ts';

/** SQL of the hours of providers. */

export const isKept = async (reader: Reader, startsAt: Date): Promise<boolean> =>
  (
    await reader.one<{ isKept: boolean }>(sql`
      select exists (select from risk.provider_hours where starts_at = ${startsAt}) as "isKept"`)
  ).isKept;

export type ProviderCredits = { provider: string; credits: number };

/** Keeps an hour, once, and removes those of more than 31 days before it. */
export const keepHour = (reader: Reader, startsAt: Date, counted: readonly ProviderCredits[]) =>
  reader.rows(sql`
    with old as (
      delete from risk.provider_hours where starts_at < ${startsAt}::timestamptz - interval '31 days')
    insert into risk.provider_hours (provider, starts_at, credits)
    select c.provider, ${startsAt}::timestamptz, c.credits
    from unnest(${counted.map(({ provider }) => provider)}::text[],
      ${counted.map(({ credits }) => credits)}::integer[]) c (provider, credits)
    order by c.provider
    on conflict (provider, starts_at) do nothing`);

/** An hour of the providers that credited in it, beside their kept hours of the 30 days before. */
export const readHour = (reader: Reader, startsAt: Date) =>
  reader.rows<ProviderHour>(sql`
    select h.provider, to_char(h.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24') as hour, h.credits,
      earlier."hoursKnown", earlier."usualMost"
    from risk.provider_hours h cross join lateral (
      select count(*)::integer as "hoursKnown",
        coalesce(percentile_disc(0.95) within group (order by e.credits), 0) as "usualMost"
      from risk.provider_hours e
      where e.provider = h.provider and e.starts_at < h.starts_at
        and e.starts_at >= h.starts_at - interval '30 days') earlier
    where h.starts_at = ${startsAt} and h.credits > 0`);
