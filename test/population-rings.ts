import {
  type Account,
  type Draws,
  madeUpBrowser,
  newAddress,
  newBrowser,
  newMailbox,
  newWallet,
  type Ring,
  withActs,
} from './population.ts';

/**
 * Rings: several accounts of one person or of a farm, as sites with rewards and sellers of tools for it describe them.
 * Shares of the rings, sizes and habits are below. Each account of a ring withdraws with a chance, since some were
 * never used long enough.
 */
type Habits = {
  share: number;
  /** The median size, the smallest and the largest. */
  sizes: [number, number, number];
  /** The chance that an account has withdrawn. */
  withdraws: number;
  /** The chance that all use one payout address; otherwise one for `perWallet` accounts. */
  oneWallet: number;
  perWallet: number;
  /** The chance that the accounts invited each other, and then that it was a chain instead of one inviter. */
  invites: number;
  chains: number;
  /** The chance that all mailboxes are spellings of one. */
  oneMailbox: number;
  devices: (draws: Draws, size: number) => () => Account['devices'];
};

/** One or a few browsers that all accounts use, at a home line whose address may change. */
const atHome =
  (browsersMax: number, changing: number) =>
  (draws: Draws): (() => Account['devices']) => {
    const browsers = Array.from({ length: draws.whole(1, browsersMax) }, () => newBrowser(draws));
    const isChanging = draws.chance(changing);
    const addresses = Array.from({ length: isChanging ? draws.whole(2, 4) : 1 }, () => newAddress(draws));
    return () => {
      const used = draws.chance(0.3) ? browsers : [draws.pick(browsers)];
      return used.map((fingerprint) => ({ fingerprint, address: draws.pick(addresses) }));
    };
  };

/** A phone for each account, of a few models, at one line or with a mobile carrier's addresses. */
function onPhones(draws: Draws, size: number): () => Account['devices'] {
  const models = Array.from({ length: Math.ceil(size / 4) }, () => newBrowser(draws));
  const line = draws.chance(0.6) ? newAddress(draws) : null;
  return () => [{ fingerprint: draws.pick(models), address: line ?? newAddress(draws) }];
}

/** A profile of an anti-detect browser for each account, or fewer than accounts, each at a rented home address. */
function withProfiles(draws: Draws, size: number): () => Account['devices'] {
  const isThrifty = draws.chance(0.3);
  const profiles = Array.from({ length: Math.ceil(size / 3) }, () => madeUpBrowser(draws));
  return () => [
    { fingerprint: isThrifty ? draws.pick(profiles) : madeUpBrowser(draws), address: newAddress(draws) },
  ];
}

const kinds: Record<string, Habits> = {
  // One person with a few accounts, who hides nothing.
  careless: {
    share: 0.3,
    sizes: [4, 3, 8],
    withdraws: 0.75,
    oneWallet: 0.8,
    perWallet: 3,
    invites: 0.5,
    chains: 0.1,
    oneMailbox: 0.25,
    devices: atHome(2, 0.2),
  },
  // Invited accounts, made for the inviter's reward.
  referrals: {
    share: 0.18,
    sizes: [7, 4, 15],
    withdraws: 0.65,
    oneWallet: 0.6,
    perWallet: 4,
    invites: 1,
    chains: 0.3,
    oneMailbox: 0.15,
    devices: atHome(3, 0.3),
  },
  // A shelf of phones.
  phones: {
    share: 0.14,
    sizes: [10, 5, 30],
    withdraws: 0.85,
    oneWallet: 0.55,
    perWallet: 6,
    invites: 0.5,
    chains: 0.4,
    oneMailbox: 0.05,
    devices: onPhones,
  },
  // Anti-detect browsers behind residential proxies.
  profiles: {
    share: 0.22,
    sizes: [14, 8, 40],
    withdraws: 0.85,
    oneWallet: 0.65,
    perWallet: 8,
    invites: 0.3,
    chains: 0.5,
    oneMailbox: 0.05,
    devices: withProfiles,
  },
  // Many spellings of one mailbox.
  mailboxes: {
    share: 0.1,
    sizes: [6, 3, 20],
    withdraws: 0.6,
    oneWallet: 0.7,
    perWallet: 1,
    invites: 0.3,
    chains: 0.2,
    oneMailbox: 1,
    devices: atHome(2, 0.5),
  },
  // All bought singly: browser, line, mailbox, and a payout address for each account.
  professional: {
    share: 0.06,
    sizes: [12, 5, 40],
    withdraws: 0.9,
    oneWallet: 0,
    perWallet: 1,
    invites: 0.5,
    chains: 0.7,
    oneMailbox: 0,
    devices: (draws) => () => [{ fingerprint: madeUpBrowser(draws), address: newAddress(draws) }],
  },
};

/** Spellings of one Gmail mailbox: a tag, or a dot somewhere. */
function spellingsOf(draws: Draws): () => string {
  const name = `farmer${draws.fresh()}mailbox`;
  return () => {
    const tag = draws.fresh();
    if (draws.chance(0.6)) return `${name}+${tag}@gmail.com`;
    const dot = draws.whole(1, name.length - 1);
    return `${name.slice(0, dot)}.${name.slice(dot)}+${tag}@gmail.com`;
  };
}

function invite(draws: Draws, accounts: readonly Account[], chains: number): void {
  const isChain = draws.chance(chains);
  for (const [at, account] of accounts.entries())
    account.referrer = at === 0 ? null : ((isChain ? accounts[at - 1] : accounts[0]) ?? null);
}

/** Makes the ring with this number. */
export function makeRing(draws: Draws, number: number): Ring {
  let left = draws.real();
  const [kind, habits] = Object.entries(kinds).find(([, { share }]) => {
    left -= share;
    return left < 0;
  }) ?? ['careless', kinds.careless as Habits];
  const size = draws.size(...habits.sizes);
  const walletCount = draws.chance(habits.oneWallet) ? 1 : Math.ceil(size / habits.perWallet);
  const wallets = Array.from({ length: walletCount }, () => newWallet(draws));
  const nextDevices = habits.devices(draws, size);
  const nextMailbox = draws.chance(habits.oneMailbox) ? spellingsOf(draws) : () => newMailbox(draws);
  const accounts = Array.from({ length: size }, (_, at) =>
    withActs(draws, {
      email: nextMailbox(),
      devices: nextDevices(),
      destinations: draws.chance(habits.withdraws) ? [wallets[at % wallets.length] ?? ''] : [],
      ring: number,
    }),
  );
  if (draws.chance(habits.invites)) invite(draws, accounts, habits.chains);
  return { kind, accounts };
}
