import { openDatabase, sqlText } from '#platform/database.ts';
import { pgbench } from './pgbench.ts';
import type { Site } from './site.ts';
import { MEMBER_FIRST, MEMBERS } from './world.ts';

/**
 * The minimal credit: the cost of a durable credit on this machine without the product. One function inserts a unique
 * key, inserts a row and updates a balance. It runs in its own database on the same server, with as many wallets as
 * the product's benches use.
 */
const DATABASE = 'minimal_credit';
const CLIENTS = 16;

const statements = [
  'create table keys (key text primary key)',
  `create table movements (member_id integer not null, amount bigint not null, balance_after bigint not null,
     posted_at timestamptz not null)`,
  'create table wallets (member_id integer primary key, balance bigint not null default 0) with (fillfactor = 60)',
  `insert into wallets (member_id) select ${MEMBER_FIRST} + g from generate_series(0, ${MEMBERS - 1}) g`,
  `create function credit(the_member integer, the_key text, the_amount bigint) returns bigint
     language plpgsql as $$
   declare
     new_balance bigint;
   begin
     insert into keys (key) values (the_key) on conflict do nothing;
     if not found then
       return null;
     end if;
     update wallets set balance = balance + the_amount where member_id = the_member returning balance into new_balance;
     insert into movements (member_id, amount, balance_after, posted_at)
     values (the_member, the_amount, new_balance, clock_timestamp());
     return new_balance;
   end
   $$`,
  'vacuum analyze',
];

const script = `\\set member random(${MEMBER_FIRST}, ${MEMBER_FIRST + MEMBERS - 1})
\\set a random(1, 9000000000000000000)
select credit(:member, 'minimal-' || :a || '-credit', 150);
`;

/** Makes the minimal credit on the server of `site`. The returned function measures it once. */
export async function prepareAnchor(site: Site, seconds: number): Promise<() => Promise<number>> {
  const { superuserUrl } = site.urls;
  const server = openDatabase({ url: superuserUrl, connectionsMax: 1 });
  await server.rows(sqlText(`create database ${DATABASE}`));
  await server.close();
  const url = new URL(superuserUrl);
  url.pathname = `/${DATABASE}`;
  const database = openDatabase({ url: url.href, connectionsMax: 1 });
  for (const statement of statements) await database.rows(sqlText(statement));
  await database.close();
  return () => pgbench({ url: url.href, script, clients: CLIENTS, seconds });
}
