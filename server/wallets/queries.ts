import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of the site's accounts at companies that pay. */

export type Company = 'paypal' | 'nowpayments';

export type AccountRow = {
  company: Company;
  sealedCredentials: string;
  version: number;
  isConnected: boolean | null;
  balance: string | null;
  trouble: string | null;
  answeredAt: Date | null;
};

const columns = sql`company, sealed_credentials as "sealedCredentials", version, is_connected as "isConnected",
  trim_scale(balance)::text as balance, trouble, answered_at as "answeredAt"`;

export const findAccount = (reader: Reader, company: Company) =>
  reader.row<AccountRow>(sql`select ${columns} from wallets.accounts where company = ${company}`);

export const readAccounts = (reader: Reader) =>
  reader.rows<AccountRow>(sql`select ${columns} from wallets.accounts order by company`);

/** Locks the account of a company, also one that is not stored yet, until the end of the transaction. */
export const lockAccount = async (tx: Tx, company: Company) => {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('company account ' || ${company}, 0))`);
  return findAccount(tx, company);
};

/** Stores credentials. What was answered to the former ones is forgotten. */
export const storeAccount = (tx: Tx, company: Company, sealed: string) =>
  tx.rows(sql`
    insert into wallets.accounts as a (company, sealed_credentials, changed_at)
    values (${company}, ${sealed}, platform.business_now())
    on conflict (company) do update
    set sealed_credentials = excluded.sealed_credentials, version = a.version + 1, changed_at = excluded.changed_at,
      is_connected = null, balance = null, trouble = null, answered_at = null`);

/** Keeps what was answered to the credentials of this version; nothing if others are stored meanwhile. */
export const storeReading = (
  reader: Reader,
  { company, version }: Pick<AccountRow, 'company' | 'version'>,
  { balance, trouble }: { balance: string | null; trouble: string | null },
) =>
  reader.rows(sql`
    update wallets.accounts
    set is_connected = ${trouble === null}, trouble = ${trouble},
      balance = case when ${trouble}::text is null then ${balance}::numeric else balance end,
      answered_at = case when ${trouble}::text is null then platform.business_now() else answered_at end
    where company = ${company} and version = ${version}`);

/** Replaces sealed credentials if they are still stored. */
export const replaceSealed = (reader: Reader, company: Company, sealed: string, next: string) =>
  reader.rows(sql`
    update wallets.accounts set sealed_credentials = ${next}
    where company = ${company} and sealed_credentials = ${sealed}`);

/** The business time, to which times of answers are compared. */
export const readNow = (reader: Reader) =>
  reader.one<{ now: Date }>(sql`select platform.business_now() as now`);
