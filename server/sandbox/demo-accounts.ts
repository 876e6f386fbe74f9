import type { Config } from '#platform/config.ts';
import { sql } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { readOrMakeSecret } from '#platform/secret-files.ts';
import { ensureAccount } from '../access/access.ts';
import type { Person } from './demo-people.ts';

/**
 * The demo member's and the operator's accounts. Their passwords are random. The node that starts first makes them, and
 * each node prints the same ones.
 */
export const MEMBER_EMAIL = 'member@earnest.example';
const OPERATOR_EMAIL = 'operator@earnest.example';
const PASSWORD_LENGTH = 16;

type Account = { email: string; password: string };
export type Accounts = { operator: Account; member: Account };

type Parts = Pick<Platform, 'config' | 'database'>;

/** The password of a demo account. A new one has letters and digits only, which are easy to copy and type. */
async function passwordFor({ config, database }: Parts, account: 'operator' | 'member'): Promise<string> {
  const find = () =>
    database.row<{ password: string }>(
      sql`select password from sandbox.demo_passwords where account = ${account}`,
    );
  const known = await find();
  if (known !== undefined) return known.password;
  const made = readOrMakeSecret(config.dataDir, `sandbox-password-${account}`)
    .replaceAll(/[-_]/g, '')
    .slice(0, PASSWORD_LENGTH);
  await database.rows(sql`
    insert into sandbox.demo_passwords (account, password) values (${account}, ${made}) on conflict do nothing`);
  return (await find())?.password ?? made;
}

/** The first operator: ADMIN_EMAIL, else the demo operator. */
export const operatorPerson = ({ adminEmail }: Config) => ({
  email: adminEmail ?? OPERATOR_EMAIL,
  firstName: 'Operator',
  lastName: null,
  role: 'admin' as const,
});

/** The demo member as a person of the demo world. */
export const demoMember: Person = {
  email: MEMBER_EMAIL,
  firstName: 'Jiwoo',
  lastName: 'Han',
  language: 'en',
  joinedDaysAgo: 21,
  rewards: 0,
  withdrawal: null,
};

/** Makes the accounts or resets their passwords, so that the passwords printed at the start are valid. */
export async function prepareAccounts(parts: Parts): Promise<Accounts> {
  const { config, database } = parts;
  const person = operatorPerson(config);
  const operator = {
    email: person.email,
    password: config.adminPassword ?? (await passwordFor(parts, 'operator')),
  };
  const member = { email: MEMBER_EMAIL, password: await passwordFor(parts, 'member') };
  const { firstName, lastName } = demoMember;
  await Promise.all([
    ensureAccount(database, { ...person, ...operator }),
    ensureAccount(database, { ...member, firstName, lastName, role: 'user', isEmailVerified: true }),
  ]);
  return { operator, member };
}
