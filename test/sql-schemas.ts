/** The schemas and the edges between them, for the tests of the architecture. */

/** The allowed edges between schemas: each may use the open views, functions and types of the named ones. */
export const sqlEdges: Record<string, string[]> = {
  platform: [],
  ledger: ['platform'],
  members: ['platform', 'ledger'],
  risk: ['platform', 'members'],
  access: ['platform', 'members', 'risk'],
  notices: ['platform', 'members'],
  earning: ['platform', 'ledger', 'members', 'risk', 'notices'],
  withdrawals: ['platform', 'ledger', 'members', 'notices', 'access', 'earning'],
  grants: ['platform', 'ledger', 'members', 'notices'],
  wallets: ['platform'],
  chat: ['platform', 'members', 'notices'],
  support: ['platform', 'members', 'chat'],
  claims: ['platform', 'ledger', 'members', 'earning', 'grants'],
  announcements: ['platform', 'members'],
  broadcasts: ['platform', 'members'],
  decisions: ['platform', 'ledger', 'members', 'chat', 'earning', 'withdrawals', 'access', 'risk'],
  coinflip: ['platform', 'ledger', 'members'],
  bonus: ['platform', 'ledger'],
  referrals: ['platform', 'ledger', 'members', 'withdrawals'],
  sandbox: ['platform', 'members'],
};
export const schemas = Object.keys(sqlEdges);

/** Schemas that a feature owns beside the one with its name. */
export const keptBy: Record<string, string> = { jobs: 'platform' };

/** The schema of a file; undefined for files that have none and may use none. */
export function ownerOf(path: string): string | undefined {
  const migration = /^server\/migrations\/\d+_([a-z]+)\.sql$/.exec(path)?.[1];
  const folder = /^server\/([a-z-]+)\//.exec(path)?.[1];
  return schemas.find((schema) => schema === (migration ?? folder));
}
