/**
 * A population of accounts: what each leaves in the database, and who is behind it. Written from what is known of the
 * field, before any rule was read, and not changed for a rule since. `population-honest.ts` and `population-rings.ts`
 * make the people, with the share of each kind.
 */
export type Device = { fingerprint: string; address: string };

export type Account = {
  email: string;
  /** Each browser with the address at which it was seen last. */
  devices: Device[];
  /** Payout addresses. Empty if the account never withdrew. */
  destinations: string[];
  referrer: Account | null;
  tasks: number;
  reversals: number;
  /** Credits of the last hour. */
  lateCredits: number;
  /** The number of its ring; null for an honest member. */
  ring: number | null;
};

export type Ring = { kind: string; accounts: Account[] };
export type Population = { accounts: Account[]; rings: Ring[] };

export type Draws = {
  /** From 0 up to 1. */
  real: () => number;
  /** Both ends are possible. */
  whole: (from: number, to: number) => number;
  chance: (share: number) => boolean;
  pick: <T>(from: readonly T[]) => T;
  /** Log-normal: half are below the median, few are large. */
  size: (median: number, min: number, max: number) => number;
  /** Few of `count` things are drawn often, most of them seldom. */
  popular: (count: number) => number;
  /** The next number, so that a thing is nobody else's. */
  fresh: () => number;
};

/** Draws from a seed (mulberry32). */
export function drawsOf(seed: number): Draws {
  let state = seed;
  let count = 0;
  const real = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (from: number, to: number) => from + Math.floor(real() * (to - from + 1));
  const bell = () => Math.sqrt(-2 * Math.log(1 - real())) * Math.cos(2 * Math.PI * real());
  return {
    real,
    whole,
    chance: (share) => real() < share,
    pick: (from) => {
      const picked = from[whole(0, from.length - 1)];
      if (picked === undefined) throw new Error('There is nothing to pick from');
      return picked;
    },
    size: (median, min, max) => Math.max(min, Math.min(max, Math.round(median * Math.exp(0.6 * bell())))),
    popular: (things) => Math.floor(things ** real()) - 1,
    fresh: () => {
      count += 1;
      return count;
    },
  };
}

/** First numbers of address ranges that providers of home and mobile lines use. */
const PUBLIC_RANGES = [58, 61, 73, 78, 81, 86, 91, 110, 121, 151, 175, 181, 187, 201, 211] as const;

export const newAddress = ({ pick, whole }: Draws): string =>
  `${pick(PUBLIC_RANGES)}.${whole(1, 250)}.${whole(0, 255)}.${whole(1, 254)}`;

const MAIL_PROVIDERS = [
  'gmail.com',
  'gmail.com',
  'naver.com',
  'outlook.com',
  'daum.net',
  'yahoo.com',
] as const;

/** A mailbox of its own. */
export const newMailbox = ({ pick, fresh }: Draws): string => `person${fresh()}@${pick(MAIL_PROVIDERS)}`;

export const newWallet = ({ fresh, pick }: Draws): string =>
  `ltc1q${fresh().toString(36).padStart(7, '0')}${pick(['k', 'm', 'z'])}`;

/** Phones of one model with one version of the browser look the same. */
const PHONES = 600;
const newPhone = ({ popular }: Draws): string => `phone ${popular(PHONES)}`;

/** Most browsers of computers look like no other; some are as delivered. */
const newComputer = ({ chance, popular, fresh }: Draws): string =>
  chance(0.85) ? `computer ${fresh()}` : `new computer ${popular(300)}`;

export const newBrowser = (draws: Draws): string =>
  draws.chance(0.65) ? newPhone(draws) : newComputer(draws);

/** A browser that nobody else has, as tools against recognition make for each account. */
export const madeUpBrowser = ({ fresh }: Draws): string => `made up ${fresh()}`;

/** What a person did, at the pace of people or of farms. */
export function withActs(
  draws: Draws,
  account: Pick<Account, 'email' | 'devices' | 'destinations' | 'ring'>,
): Account {
  const isFarmed = account.ring !== null;
  const tasks = draws.size(isFarmed ? 15 : 6, 0, 400);
  const reversedShare = isFarmed ? 0.05 : 0.015;
  const reversals = Array.from({ length: tasks }, () => draws.chance(reversedShare)).filter(Boolean).length;
  const isEarningNow = draws.chance(isFarmed ? 0.1 : 0.04);
  const lateCredits = isEarningNow ? draws.size(isFarmed ? 4 : 2, 1, 40) : 0;
  return { ...account, referrer: null, tasks: tasks + lateCredits, reversals, lateCredits };
}

/** Every account in an order of its own, so that who belongs together is apart. */
export function shuffled<T>({ whole }: Draws, things: readonly T[]): T[] {
  const left = [...things];
  for (let at = left.length - 1; at > 0; at -= 1) {
    const other = whole(0, at);
    [left[at], left[other]] = [left[other] as T, left[at] as T];
  }
  return left;
}
