import type { Config } from '#platform/config.ts';
import type { Platform } from '#platform/platform.ts';
import { readOrMakeSecret } from '#platform/secret-files.ts';
import { ensureAccount } from '../access/access.ts';
import type { Person } from './demo-people.ts';

/** The two accounts to look around with. Their passwords are drawn for each data directory and kept in its secrets. */
export const MEMBER_EMAIL = 'member@earnest.example';
const OPERATOR_EMAIL = 'operator@earnest.example';
const PASSWORD_LENGTH = 16;

type Account = { email: string; password: string };
export type Accounts = { operator: Account; member: Account };

/** Letters and digits alone, so that it is easily copied and typed. */
const passwordFor = (config: Config, who: string): string =>
  readOrMakeSecret(config.dataDir, `sandbox-password-${who}`)
    .replaceAll(/[-_]/g, '')
    .slice(0, PASSWORD_LENGTH);

/** Whoever operates this site: the demo operator, unless the environment names another. */
const operatorOf = (config: Config): Account =>
  config.adminEmail !== null && config.adminPassword !== null
    ? { email: config.adminEmail, password: config.adminPassword }
    : { email: OPERATOR_EMAIL, password: passwordFor(config, 'operator') };

/** The operator as an account to be made. */
export const operatorAccount = (config: Config) => ({
  ...operatorOf(config),
  firstName: 'Operator',
  lastName: null,
  role: 'admin' as const,
});

/** The demo member as somebody of the demo world. */
export const demoMember: Person = {
  email: MEMBER_EMAIL,
  firstName: 'Jiwoo',
  lastName: 'Han',
  language: 'en',
  joinedDaysAgo: 21,
  rewards: 0,
  withdrawal: null,
};

/** Makes the accounts, or gives them their passwords again, so that what the start prints is always right. */
export async function prepareAccounts({
  config,
  database,
}: Pick<Platform, 'config' | 'database'>): Promise<Accounts> {
  const member = { email: MEMBER_EMAIL, password: passwordFor(config, 'member') };
  const { firstName, lastName } = demoMember;
  await Promise.all([
    ensureAccount(database, operatorAccount(config)),
    ensureAccount(database, { ...member, firstName, lastName, role: 'user' }),
  ]);
  return { operator: operatorOf(config), member };
}
