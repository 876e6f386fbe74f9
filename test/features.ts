/** The features of the server and the imports between them, for the tests of the architecture. */

/** The allowed imports between features: a feature imports another only through the files named here. */
export const featureEdges: Record<string, Record<string, string[]>> = {
  ledger: {},
  members: { ledger: ['ledger.ts'] },
  notices: { members: ['members.ts'] },
  risk: {},
  access: { members: ['members.ts', 'sign-in-queries.ts'], notices: ['notices.ts'] },
  earning: { members: ['members.ts'], ledger: ['ledger.ts'], notices: ['notices.ts'] },
  withdrawals: {
    access: ['access.ts'],
    members: ['members.ts'],
    ledger: ['ledger.ts'],
    notices: ['notices.ts'],
  },
  wallets: { withdrawals: ['last-looks.ts'] },
  grants: { members: ['members.ts'], ledger: ['ledger.ts'], notices: ['notices.ts'] },
  coinflip: { ledger: ['ledger.ts'] },
  chat: { members: ['members.ts'], ledger: ['ledger.ts'], notices: ['notices.ts'] },
  support: { chat: ['chat.ts'] },
  claims: {
    earning: ['earning.ts'],
    grants: ['grants.ts'],
    ledger: ['ledger.ts'],
    members: ['members.ts'],
    notices: ['notices.ts'],
  },
  announcements: {},
  broadcasts: {
    announcements: ['announcements.ts'],
    members: ['members.ts'],
    notices: ['notices.ts'],
  },
  decisions: {
    members: ['members.ts', 'operators.ts', 'suspensions.ts'],
    chat: ['moderation.ts'],
    earning: ['overturned.ts'],
    ledger: ['ledger.ts'],
    notices: ['notices.ts'],
  },
  bonus: { members: ['members.ts'], ledger: ['ledger.ts'] },
  referrals: { ledger: ['ledger.ts'] },
  sandbox: {
    access: ['access.ts'],
    announcements: ['announcements.ts'],
    bonus: ['bonus.ts'],
    chat: ['chat.ts'],
    earning: [
      'catalogue-queries.ts',
      'catalogue.ts',
      'earning.ts',
      'operator-chargebacks.ts',
      'postbacks.ts',
      'provider-settings.ts',
      'queries.ts',
      'providers/provider.ts',
      'providers/registry.ts',
      'providers/wall.ts',
      'providers/$1/wall.ts',
    ],
    grants: ['grants.ts'],
    notices: ['notices.ts'],
    referrals: ['referrals.ts'],
    support: ['support.ts'],
    withdrawals: [
      'days.ts',
      'decisions.ts',
      'payment-methods.ts',
      'rates.ts',
      'withdrawals.ts',
      'rails/rail.ts',
      'rails/registry.ts',
      'rails/coin/simulation.ts',
      'rails/$1/simulation.ts',
    ],
  },
};
export const features = Object.keys(featureEdges);
/**
 * The feature of a contract file: its whole name, or the beginning of it if a feature's contract has several files.
 */
export const contractFeatureOf = (path: string): string | undefined => {
  const name = /^contract\/(.+)\.ts$/.exec(path)?.[1];
  return features.find((feature) => name === feature || name?.startsWith(`${feature}-`));
};

/** The feature of a server file; undefined for the platform and the files at the top. */
export function featureOf(path: string): string | undefined {
  const folder = /^server\/([a-z-]+)\//.exec(path)?.[1];
  return folder !== undefined && features.includes(folder) ? folder : undefined;
}
