import type { Config } from '#platform/config.ts';
import type { Platform } from '#platform/platform.ts';
import { readOrMakeSecret } from '#platform/secret-files.ts';
import { ensureAccount } from '../access/access.ts';
import type { Person } from './demo-people.ts';

/** The demo member's and the operator's accounts. Their passwords are random per data directory, in its secrets. */
export const MEMBER_EMAIL = 'member@earnest.example';
const OPERATOR_EMAIL = 'operator@earnest.example';
const PASSWORD_LENGTH = 16;

type Account = { email: string; password: string };
export type Accounts = { operator: Account; member: Account };

/** Makes a password of letters and digits only, which is easy to copy and type. */
const passwordFor = (config: Config, who: string): string =>
  readOrMakeSecret(config.dataDir, `sandbox-password-${who}`)
    .replaceAll(/[-_]/g, '')
    .slice(0, PASSWORD_LENGTH);

/** The first operator's account: ADMIN_EMAIL, else the demo operator. */
const operatorOf = (config: Config): Account =>
  config.adminEmail !== null && config.adminPassword !== null
    ? { email: config.adminEmail, password: config.adminPassword }
    : { email: OPERATOR_EMAIL, password: passwordFor(config, 'operator') };

/** The first operator's account, as `ensureAccount` takes it. */
export const operatorAccount = (config: Config) => ({
  ...operatorOf(config),
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
export async function prepareAccounts({
  config,
  database,
}: Pick<Platform, 'config' | 'database'>): Promise<Accounts> {
  const member = { email: MEMBER_EMAIL, password: passwordFor(config, 'member') };
  const { firstName, lastName } = demoMember;
  await Promise.all([
    ensureAccount(database, operatorAccount(config)),
    ensureAccount(database, { ...member, firstName, lastName, role: 'user', isEmailVerified: true }),
  ]);
  return { operator: operatorOf(config), member };
}
