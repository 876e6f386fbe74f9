import type { QueryOf } from '#contract/endpoint.ts';
import {
  type AccountDays,
  type AccountGroup,
  accountGroups,
  type Books,
  MEMBERS_ACCOUNT,
  type readAccountDays as readAccountDaysEndpoint,
  WITHDRAWALS_ACCOUNT,
} from '#contract/ledger-books.ts';
import type { MovementKind } from '#contract/movement-kinds.ts';
import type { Database, Reader } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import type { Names, ReadNames } from './descriptions.ts';
import * as queries from './trial-balance-queries.ts';

/**
 * The accounts of the site: their balances, and their movements by day. Balances are those of the last count, which a
 * sweep makes once a minute. Days come from the stored sums of accounts and the newest movements, never from all.
 */

/** Several nodes count once a minute together. */
const COUNT_SECONDS_MIN = 50;

const groups: Record<string, AccountGroup> = {
  [MEMBERS_ACCOUNT]: 'owed',
  [WITHDRAWALS_ACCOUNT]: 'owed',
  bonus: 'costs',
  referrals: 'costs',
  grants: 'costs',
  coinflip: 'income',
  operator: 'income',
};

/** Describes accounts. Those of providers are known by the providers, and no name of an account is read back. */
function describerOf({ providers }: Names) {
  const byAccount = new Map([...providers].map(([id, name]) => [`provider:${id}`, name]));
  return (account: string): { account: string; name: string | null; group: AccountGroup } => {
    const name = byAccount.get(account) ?? null;
    return { account, name, group: name === null ? (groups[account] ?? 'other') : 'receivables' };
  };
}

/** Adds all accounts up and keeps the result, unless it was done within the last minute. */
export const keepTrialBalance = async (database: Reader): Promise<void> => {
  await queries.keepTrialBalance(database, COUNT_SECONDS_MIN);
};

/** Reads the trial balance of this moment, without names, for the command line. It adds every wallet up. */
export const readTrialBalance = (database: Reader): Promise<{ account: string; balance: string }[]> =>
  queries.readTrialBalance(database);

/** Reads the points of all confirmed payouts, which are no movements. */
export type ReadPaidPoints = (reader: Reader) => Promise<string>;

type TrialBalance = Pick<
  Books,
  'takenAt' | 'accounts' | 'sum' | 'sums' | 'owed' | 'debtors' | 'receivables' | 'due'
>;
type Account = Books['accounts'][number];

const sumOf = (points: readonly string[]): bigint => points.reduce((sum, one) => sum + BigInt(one), 0n);

/** Reads the kept trial balance with all its sums. What was paid since the count is told as paid already. */
export async function readKeptTrialBalance(
  reader: Reader,
  readNames: ReadNames,
  readPaidPoints: ReadPaidPoints,
): Promise<TrialBalance> {
  const [kept, names, paidPoints] = await Promise.all([
    queries.findKeptTrialBalance(reader),
    readNames(),
    readPaidPoints(reader),
  ]);
  const describe = describerOf(names);
  const accounts = (kept?.accounts ?? [])
    .flatMap((row) => {
      const account = { ...describe(row.account), balance: row.balance };
      return row.account === WITHDRAWALS_ACCOUNT ? requestedAndPaid(account, BigInt(paidPoints)) : [account];
    })
    .sort((one, other) => accountGroups.indexOf(one.group) - accountGroups.indexOf(other.group));
  const balances = accounts.map(({ balance }) => balance);
  const below = sumOf(balances.filter((balance) => BigInt(balance) < 0n));
  const sum = sumOf(balances);
  const debtPoints = kept?.debtPoints ?? '0';
  const owed = (account: string) =>
    sumOf(
      accounts.filter((one) => one.account === account && one.group === 'owed').map(({ balance }) => balance),
    );
  const [inBalances, requested] = [owed(MEMBERS_ACCOUNT) + BigInt(debtPoints), owed(WITHDRAWALS_ACCOUNT)];
  const receivables = kept?.receivables ?? [];
  return {
    takenAt: kept?.takenAt.toISOString() ?? null,
    accounts,
    sum: String(sum),
    sums: { debit: String(-below), credit: String(sum - below) },
    owed: {
      balances: String(inBalances),
      requested: String(requested),
      sum: String(inBalances + requested),
    },
    debtors: { count: Number(kept?.debtorCount ?? 0), points: debtPoints },
    receivables: receivables.map((receivable) => ({
      ...receivable,
      name: describe(receivable.account).name,
    })),
    due: String(
      sumOf(receivables.flatMap(({ thisMonth, lastMonth, earlier }) => [thisMonth, lastMonth, earlier])),
    ),
  };
}

/** The account of withdrawals as two: what members asked for and is not paid yet, and what was paid. */
function requestedAndPaid(account: Account, paidPoints: bigint): Account[] {
  const held = BigInt(account.balance);
  const paid = paidPoints < held ? paidPoints : held;
  const rows: Account[] = [
    { ...account, balance: String(held - paid) },
    { ...account, group: 'paid', balance: String(paid) },
  ];
  return rows.filter(({ balance, group }) => balance !== '0' || group === 'owed');
}

/** Reads the movements of a month by day, of one account or of all house accounts. @throws Refusal `not-found` */
export async function readAccountDays(
  database: Database,
  readNames: ReadNames,
  { month: asked, account }: QueryOf<typeof readAccountDaysEndpoint>,
): Promise<AccountDays> {
  const { now, month: present, firstMonth } = await queries.readMonths(database);
  const month = asked ?? present;
  const from = `${month}-01`;
  const rows =
    account === MEMBERS_ACCOUNT
      ? await queries.readMembersMonth(database, from, account)
      : await queries.readMonth(database, from, account ?? null);
  const days = rows.map(({ movementCount, kind, ...day }) => ({
    ...day,
    kind: kind as MovementKind,
    movements: Number(movementCount),
  }));
  return {
    month,
    firstMonth: firstMonth ?? present,
    lastMonth: present,
    countedUntil: now.toISOString(),
    account:
      account === undefined
        ? null
        : {
            ...describerOf(await readNames())(account),
            ...(await balancesOf(database, account, from, days)),
          },
    days,
  };
}

/** The balance of an account before the month and after it. */
async function balancesOf(
  reader: Reader,
  account: string,
  from: string,
  days: readonly { points: string }[],
): Promise<{ before: string; after: string }> {
  const isOfMembers = account === MEMBERS_ACCOUNT;
  const { amount, isKnown } = await queries.readBefore(reader, from, isOfMembers ? null : account);
  if (!isKnown && !isOfMembers) throw refuse('not-found');
  const before = isOfMembers ? BigInt(amount) : -BigInt(amount);
  return {
    before: String(before),
    after: String(days.reduce((sum, { points }) => sum + BigInt(points), before)),
  };
}
