import { type Database, openDatabase, sql, sqlText } from '#platform/database.ts';

/**
 * The tables of the simulated services. This file makes them in a separate schema when the sandbox starts, so that no
 * migration and no live database has them. If a release changes a table, the schema can be dropped without loss.
 */
const statements = (appRole: string): string[] => [
  'create schema if not exists sandbox',
  `create table if not exists sandbox.outbox (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('mail', 'sms')),
    recipient text not null,
    subject text,
    body text not null,
    code text,
    created_at timestamptz not null default platform.business_now())`,
  `create table if not exists sandbox.verifications (
    sid text primary key,
    phone_number text not null,
    code text not null,
    status text not null default 'pending',
    sends integer not null default 1,
    checks integer not null default 0,
    created_at timestamptz not null default platform.business_now())`,
  `create unique index if not exists verifications_pending on sandbox.verifications (phone_number)
    where status = 'pending'`,
  `create table if not exists sandbox.wall_calls (
    id bigint generated always as identity primary key,
    provider text not null,
    member_ref text not null,
    action text not null check (action in ('complete', 'screen-out', 'reverse')),
    offer_id text not null,
    offer_title text not null,
    points bigint not null,
    transaction_id text not null,
    answer_status integer not null,
    answer_body text not null,
    is_reversed boolean not null default false,
    form text not null default '',
    created_at timestamptz not null default platform.business_now())`,
  'create index if not exists wall_calls_member on sandbox.wall_calls (provider, member_ref, id desc)',
  `create table if not exists sandbox.coin_nodes (coin text primary key, port integer not null)`,
  `create table if not exists sandbox.demo_passwords (
    account text primary key check (account in ('operator', 'member')),
    password text not null)`,
  `create table if not exists sandbox.done (
    what text primary key,
    at timestamptz not null default platform.business_now())`,
  `grant usage on schema sandbox to ${appRole}`,
  `grant select, insert, update, delete on all tables in schema sandbox to ${appRole}`,
];

/** Creates missing tables, as the owner, and grants them to the role of `database`. */
export async function makeTables(ownerUrl: string, database: Database): Promise<void> {
  const { role } = await database.one<{ role: string }>(sql`select quote_ident(current_user) as role`);
  const owner = openDatabase({ url: ownerUrl, connectionsMax: 1, applicationName: 'earnest sandbox' });
  try {
    await owner.transaction(async (tx) => {
      for (const statement of statements(role)) await tx.rows(sqlText(statement));
    });
  } finally {
    await owner.close();
  }
}

/**
 * Runs `act` once in the life of a database, so that an operator's later changes are kept.
 * @returns whether it ran now
 */
export async function doOnce(database: Database, what: string, act: () => Promise<void>): Promise<boolean> {
  const done = await database.row(sql`select from sandbox.done where what = ${what}`);
  if (done !== undefined) return false;
  await act();
  await database.rows(sql`insert into sandbox.done (what) values (${what}) on conflict do nothing`);
  return true;
}
