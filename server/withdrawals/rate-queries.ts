import { json, type Reader, sql, type Tx } from '#platform/database.ts';

/** The statements of rates: the believed rate of each currency, the one that waits, and the believed ones of a day. */

export type SourcePrice = { name: string; usd: string; at: string | null };

export type RateRow = {
  currency: string;
  usd: string | null;
  sources: SourcePrice[] | null;
  pricedAt: Date | null;
  /** The age of the believed rate, and the time since the sources answered last. */
  ageS: number | null;
  fetchedAgoS: number | null;
  waitingUsd: string | null;
  waitingSources: SourcePrice[] | null;
  waitingPricedAt: Date | null;
};

const rateColumns = sql`
  currency, usd::text as usd, sources, priced_at as "pricedAt",
  extract(epoch from platform.business_now() - priced_at)::double precision as "ageS",
  extract(epoch from platform.business_now() - fetched_at)::double precision as "fetchedAgoS",
  waiting_usd::text as "waitingUsd", waiting_sources as "waitingSources", waiting_priced_at as "waitingPricedAt"`;

export const readRates = (reader: Reader, currencies: readonly string[]) =>
  reader.rows<RateRow>(sql`
    select ${rateColumns} from withdrawals.rates where currency = any(${currencies}::text[])`);

export const findRate = (reader: Reader, currency: string) =>
  reader.row<RateRow>(sql`select ${rateColumns} from withdrawals.rates where currency = ${currency}`);

/** Locks a currency's row, which is made first if there is none. */
export const lockRate = async (tx: Tx, currency: string) => {
  await tx.rows(sql`insert into withdrawals.rates (currency) values (${currency}) on conflict do nothing`);
  return tx.one<RateRow>(sql`
    select ${rateColumns} from withdrawals.rates where currency = ${currency} for no key update`);
};

/** The lowest and the highest rate that was believed in the last hour, but not before the last confirmed one. */
export const readBelievedInHour = (tx: Tx, currency: string) =>
  tx.one<{ lowest: string | null; highest: string | null }>(sql`
    select min(usd)::text as lowest, max(usd)::text as highest from withdrawals.rate_history
    where currency = ${currency} and believed_at > platform.business_now() - interval '1 hour'
      and id >= coalesce((
        select max(id) from withdrawals.rate_history
        where currency = ${currency} and confirmed_by is not null), 0)`);

export type Believed = { currency: string; usd: string; sources: readonly SourcePrice[] };

/** Believes a rate. `ageS` is the price's age by the sources' own time. */
export const believeRate = async (tx: Tx, { currency, usd, sources, ageS }: Believed & { ageS: number }) => {
  await tx.rows(sql`
    update withdrawals.rates
    set usd = ${usd}::numeric, sources = ${json(sources)}::jsonb, fetched_at = platform.business_now(),
      priced_at = platform.business_now() - ${ageS}::double precision * interval '1 second',
      waiting_usd = null, waiting_sources = null, waiting_priced_at = null
    where currency = ${currency}`);
  await noteBelieved(tx, currency, null);
};

/** Keeps a rate that moved too far, for an operator. */
export const keepWaiting = (tx: Tx, { currency, usd, sources, ageS }: Believed & { ageS: number }) =>
  tx.rows(sql`
    update withdrawals.rates
    set waiting_usd = ${usd}::numeric, waiting_sources = ${json(sources)}::jsonb, fetched_at = platform.business_now(),
      waiting_priced_at = platform.business_now() - ${ageS}::double precision * interval '1 second'
    where currency = ${currency}`);

export const believeWaiting = async (tx: Tx, currency: string, operatorId: number) => {
  await tx.rows(sql`
    update withdrawals.rates
    set usd = waiting_usd, sources = waiting_sources, priced_at = waiting_priced_at,
      waiting_usd = null, waiting_sources = null, waiting_priced_at = null
    where currency = ${currency} and waiting_usd is not null`);
  await noteBelieved(tx, currency, operatorId);
};

async function noteBelieved(tx: Tx, currency: string, confirmedBy: number | null): Promise<void> {
  await tx.rows(sql`
    insert into withdrawals.rate_history (currency, usd, believed_at, confirmed_by)
    select currency, usd, platform.business_now(), ${confirmedBy}::integer
    from withdrawals.rates where currency = ${currency}`);
  await tx.rows(sql`
    delete from withdrawals.rate_history
    where currency = ${currency} and believed_at < platform.business_now() - interval '1 day'`);
}

/** The real time of the database's clock, with which the times that sources state are compared. */
export const readRealTime = (reader: Reader) =>
  reader.one<{ now: Date }>(sql`select clock_timestamp() as now`);
