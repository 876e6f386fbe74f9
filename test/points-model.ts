import { isDeepStrictEqual } from 'node:util';

/**
 * A second, sequential implementation of the features' rules for points, without a database. The property
 * test checks that the answers to concurrent callers can be explained by some order of their commands.
 */
export type Verdict = 'approve' | 'reject';
export type Credit = {
  act: 'credit';
  transaction: string;
  member: number;
  points: number;
  isScreenOut: boolean;
  isFromStrangePlace: boolean;
};
export type Reversal = {
  act: 'reverse';
  reversal: string;
  transaction: string;
  member: number;
  /** Null takes the whole balance. */
  points: number | null;
};
export type Command =
  | Credit
  | Reversal
  | { act: 'review'; transaction: string; verdict: Verdict }
  | { act: 'withdraw'; member: number; points: number; key: string | null }
  | { act: 'decide'; withdrawal: string; verdict: Verdict }
  | { act: 'grant'; member: number; points: number; key: string }
  | { act: 'flip'; member: number; bet: number; key: string };

/**
 * A caller's answer: a verdict, a state or the reason of a refusal, and values that only the call itself can return.
 */
export type Told = {
  verdict: string;
  balance: bigint | null;
  withdrawal: string | null;
  isWin: boolean | null;
};

type Wallet = { balance: bigint; earned: bigint; tasks: number; requestCount: number; flipCount: number };
type Earning = {
  member: number;
  points: number;
  left: number;
  state: 'held' | 'credited' | 'rejected';
  wasHeld: boolean;
  isTask: boolean;
};
type Withdrawal = { member: number; points: number; state: 'pending' | 'approved' | 'rejected' };
type Kept = { points: number; withdrawal: string | null; isWin: boolean | null };

export type State = {
  wallets: ReadonlyMap<number, Wallet>;
  earnings: ReadonlyMap<string, Earning>;
  /** Booked reversals. */
  reversals: ReadonlySet<string>;
  /** Reversals without a credit, or with a credit of another member. */
  waiting: ReadonlyMap<string, Reversal>;
  withdrawals: ReadonlyMap<string, Withdrawal>;
  /** The request under each idempotency key of a member. */
  keys: ReadonlyMap<string, Kept>;
};

type Outcome = { state: State; told: Told };

export const FLIPS_A_DAY_MAX = 6;
const REQUESTS_A_DAY_MAX = 5;
const HELD_POINTS_MIN = 10_000;

export function emptyState(members: readonly number[]): State {
  const wallet: Wallet = { balance: 0n, earned: 0n, tasks: 0, requestCount: 0, flipCount: 0 };
  return {
    wallets: new Map(members.map((id) => [id, wallet])),
    earnings: new Map(),
    reversals: new Set(),
    waiting: new Map(),
    withdrawals: new Map(),
    keys: new Map(),
  };
}

/** The state after an order of the commands in which each would have had exactly its answer. */
export function explain(
  state: State,
  told: readonly { command: Command; told: Told }[],
): { state: State } | undefined {
  if (told.length === 0) return { state };
  for (const [index, one] of told.entries()) {
    const outcome = carryOut(state, one.command, one.told);
    if (!isDeepStrictEqual(outcome.told, one.told)) continue;
    const explained = explain(outcome.state, told.toSpliced(index, 1));
    if (explained) return explained;
  }
  return undefined;
}

/** Random results, a flip's side and a withdrawal's id, are taken from the answer. */
function carryOut(state: State, command: Command, told: Told): Outcome {
  switch (command.act) {
    case 'credit':
      return credit(state, command, told);
    case 'reverse':
      return takeBack(state, command);
    case 'review':
      return review(state, command.transaction, command.verdict);
    case 'withdraw':
      return withdraw(state, command, told);
    case 'decide':
      return decide(state, command.withdrawal, command.verdict);
    case 'grant': {
      const granted = move(state, command.member, command.points, { earned: BigInt(command.points) });
      return { state: granted, told: say('posted', { balance: balanceOf(granted, command.member) }) };
    }
    case 'flip':
      return flip(state, command, told);
  }
}

const say = (verdict: string, more: Partial<Told> = {}): Told => ({
  verdict,
  balance: null,
  withdrawal: null,
  isWin: null,
  ...more,
});

const put = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, value: Value): ReadonlyMap<Key, Value> =>
  new Map(map).set(key, value);

const walletOf = (state: State, member: number): Wallet => state.wallets.get(member) as Wallet;
export const balanceOf = (state: State, member: number): bigint => walletOf(state, member)?.balance ?? 0n;

/** Changes a balance and the counters beside it. */
function move(state: State, member: number, points: number, counted: Partial<Wallet> = {}): State {
  const wallet = walletOf(state, member);
  const { earned = 0n, tasks = 0, requestCount = 0, flipCount = 0 } = counted;
  return {
    ...state,
    wallets: put(state.wallets, member, {
      balance: wallet.balance + BigInt(points),
      earned: wallet.earned + earned,
      tasks: wallet.tasks + tasks,
      requestCount: wallet.requestCount + requestCount,
      flipCount: wallet.flipCount + flipCount,
    }),
  };
}

const changeEarning = (state: State, transaction: string, earning: Earning): State => ({
  ...state,
  earnings: put(state.earnings, transaction, earning),
});

const payEarning = (state: State, { member, points, isTask }: Earning): State =>
  move(state, member, points, { earned: BigInt(points), tasks: isTask ? 1 : 0 });

function credit(before: State, call: Credit, told: Told): Outcome {
  const { transaction, member, points } = call;
  if (!before.wallets.has(member)) return { state: before, told: say('quarantined') };
  const known = before.earnings.get(transaction);
  if (known) {
    // Copies that are booked together with a held first one are not compared with it.
    const isTheSame = (known.member === member && known.points === points) || told.verdict === 'duplicate';
    return { state: before, told: say(isTheSame ? 'duplicate' : 'duplicate-different') };
  }
  const wasHeld = points >= HELD_POINTS_MIN || call.isFromStrangePlace;
  const earning: Earning = {
    member,
    points,
    left: points,
    state: wasHeld ? 'held' : 'credited',
    wasHeld,
    isTask: !call.isScreenOut,
  };
  let state = changeEarning(before, transaction, earning);
  if (!wasHeld) state = payEarning(state, earning);
  for (const early of before.waiting.values())
    if (early.transaction === transaction && early.member === member) state = takeBack(state, early).state;
  return { state, told: say(wasHeld ? 'held' : 'credited') };
}

function takeBack(before: State, call: Reversal): Outcome {
  const known = before.earnings.get(call.transaction);
  if (known?.member !== call.member) {
    const waiting = before.waiting.has(call.reversal)
      ? before.waiting
      : put(before.waiting, call.reversal, call);
    return { state: { ...before, waiting }, told: say('quarantined') };
  }
  if (before.reversals.has(call.reversal)) return { state: before, told: say('duplicate') };
  const waiting = new Map(before.waiting);
  waiting.delete(call.reversal);
  const reversals = new Set(before.reversals).add(call.reversal);
  const state = { ...before, waiting, reversals };
  if (known.state === 'held') {
    const rejected: Earning = { ...known, state: 'rejected', left: 0 };
    return { state: changeEarning(state, call.transaction, rejected), told: say('hold-rejected') };
  }
  const taken = Math.min(call.points ?? known.left, known.left);
  if (taken === 0) return { state, told: say('nothing-left') };
  const reversed = changeEarning(state, call.transaction, { ...known, left: known.left - taken });
  return { state: move(reversed, call.member, -taken), told: say('reversed') };
}

function review(state: State, transaction: string, verdict: Verdict): Outcome {
  const known = state.earnings.get(transaction);
  if (!known?.wasHeld) return { state, told: say('not-found') };
  if (known.state !== 'held') {
    const how = known.state === 'credited' ? 'approved' : 'rejected';
    return { state, told: say(`This earning was ${how} already.`) };
  }
  if (verdict === 'reject') {
    const rejected: Earning = { ...known, state: 'rejected', left: 0 };
    return { state: changeEarning(state, transaction, rejected), told: say('rejected') };
  }
  const paid = payEarning(changeEarning(state, transaction, { ...known, state: 'credited' }), known);
  return { state: paid, told: say('approved', { balance: balanceOf(paid, known.member) }) };
}

function withdraw(state: State, call: Command & { act: 'withdraw' }, told: Told): Outcome {
  const { member, points, key } = call;
  const known = key === null ? undefined : state.keys.get(`withdraw ${member} ${key}`);
  if (known) {
    if (known.points !== points) return { state, told: say('idempotency-mismatch') };
    const withdrawal = known.withdrawal as string;
    return { state, told: say(state.withdrawals.get(withdrawal)?.state ?? 'lost', { withdrawal }) };
  }
  const wallet = walletOf(state, member);
  if (wallet.requestCount >= REQUESTS_A_DAY_MAX) return { state, told: say('withdrawal-limit-reached') };
  if (wallet.balance < BigInt(points)) return { state, told: say('insufficient-balance') };
  const withdrawal = told.withdrawal;
  if (withdrawal === null || state.withdrawals.has(withdrawal))
    return { state, told: say('a new withdrawal') };
  const moved = move(state, member, -points, { requestCount: 1 });
  const asked = put(state.withdrawals, withdrawal, { member, points, state: 'pending' as const });
  const keys =
    key === null
      ? state.keys
      : put(state.keys, `withdraw ${member} ${key}`, { points, withdrawal, isWin: null });
  return {
    state: { ...moved, withdrawals: asked, keys },
    told: say('pending', { balance: balanceOf(moved, member), withdrawal }),
  };
}

function decide(state: State, withdrawal: string, verdict: Verdict): Outcome {
  const known = state.withdrawals.get(withdrawal) as Withdrawal;
  if (known.state !== 'pending') return { state, told: say(`This withdrawal was ${known.state} already.`) };
  if (verdict === 'approve' && walletOf(state, known.member).balance < 0n)
    return { state, told: say('member-in-debt') };
  const decided = verdict === 'approve' ? 'approved' : 'rejected';
  const withdrawals = put(state.withdrawals, withdrawal, { ...known, state: decided } as const);
  const after = { ...state, withdrawals };
  return {
    state: verdict === 'approve' ? after : move(after, known.member, known.points),
    told: say(decided),
  };
}

function flip(state: State, call: Command & { act: 'flip' }, told: Told): Outcome {
  const { member, bet } = call;
  const key = `flip ${member} ${call.key}`;
  const known = state.keys.get(key);
  if (known) {
    if (known.points !== bet) return { state, told: say('idempotency-mismatch') };
    return { state, told: say('played', { isWin: known.isWin }) };
  }
  const wallet = walletOf(state, member);
  if (wallet.flipCount >= FLIPS_A_DAY_MAX) return { state, told: say('daily-limit-reached') };
  if (wallet.balance < BigInt(bet)) return { state, told: say('insufficient-balance') };
  const isWin = told.isWin === true;
  const moved = move(state, member, isWin ? bet : -bet, { flipCount: 1 });
  const keys = put(state.keys, key, { points: bet, withdrawal: null, isWin });
  return {
    state: { ...moved, keys },
    told: say('played', { balance: balanceOf(moved, member), isWin }),
  };
}
