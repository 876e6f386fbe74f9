import { once } from 'node:events';

/**
 * The result of a bench. Every series is measured in the same run as its anchor, in turns, for some rounds. A figure
 * is the median over the rounds of series ÷ anchor, so that a slow minute of the machine slows both.
 */
export type Series = { name: string; unit: string; values: number[] };

/** A bound for a figure: a minimum (`min`) or a maximum (`max`). */
export type Bound = { min: number } | { max: number };

export type Verdict = 'aim reached' | 'target reached' | 'missed' | 'recorded';

export type Figure = {
  id: string;
  title: string;
  /** The value that is compared with the bounds: the ratio to the anchor, or the value itself if there is none. */
  judged: number;
  value: number;
  unit: string;
  anchor: number | null;
  target: Bound | null;
  aim: Bound | null;
  verdict: Verdict;
  note: string;
};

export type Outcome = { figures: Figure[]; series: Series[]; notes: string[] };

export type BenchOptions = { isFull: boolean; log: (line: string) => void };

export type Bench = {
  name: string;
  /** The ids of its figures, such as B1. */
  ids: string[];
  isFullOnly?: boolean;
  run(options: BenchOptions): Promise<Outcome>;
};

export const ROUNDS = 3;
/** Above this spread between rounds, a series depends more on the machine than on the program. */
export const SPREAD_MAX = 0.2;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) throw new Error('Nothing was measured');
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** The spread of a series divided by its median. */
export const spreadOf = (values: readonly number[]): number =>
  (Math.max(...values) - Math.min(...values)) / median(values);

export const isNoisy = (series: Series): boolean => spreadOf(series.values) > SPREAD_MAX;

/**
 * Asks the comparing bench, if it is the parent process, whether to measure `name` now, and waits for its answer. A
 * bench that was started directly always measures.
 */
async function awaitTurn(name: string): Promise<boolean> {
  if (process.send === undefined) return true;
  process.send({ name });
  const [turn] = (await once(process, 'message')) as [{ isWanted: boolean }];
  return turn.isWanted;
}

/** Runs every measurement once per round, in turns. A measurement that the comparing bench skips is NaN. */
export async function interleave<Name extends string>(
  measurements: Record<Name, () => Promise<number>>,
  options: { rounds?: number; unit: string; log: (line: string) => void },
): Promise<Record<Name, Series>> {
  const names = Object.keys(measurements) as Name[];
  const series = Object.fromEntries(
    names.map((name) => [name, { name, unit: options.unit, values: [] as number[] }]),
  ) as unknown as Record<Name, Series>;
  const rounds = Number(process.env.BENCH_ROUNDS ?? options.rounds ?? ROUNDS);
  for (let round = 1; round <= rounds; round += 1)
    for (const name of names) {
      const value = (await awaitTurn(name)) ? await measurements[name]() : Number.NaN;
      process.send?.({ name, value });
      series[name].values.push(value);
      if (!Number.isNaN(value))
        options.log(`  round ${round}: ${name} ${formatFigure(value)} ${options.unit}`);
    }
  return series;
}

/** The median over the rounds of one series ÷ another. */
export const ratioOf = (series: Series, anchor: Series): number =>
  median(series.values.map((value, round) => value / (anchor.values[round] as number)));

const reaches = (value: number, bound: Bound): boolean =>
  'min' in bound ? value >= bound.min : value <= bound.max;

function judge(value: number, target: Bound | null, aim: Bound | null): Verdict {
  if (aim !== null && reaches(value, aim)) return 'aim reached';
  if (target === null) return 'recorded';
  return reaches(value, target) ? 'target reached' : 'missed';
}

type Told = { id: string; title: string; target?: Bound; aim?: Bound; note?: string };

/** A figure that is a ratio to an anchor. */
export function ratioFigure(told: Told, series: Series, anchor: Series): Figure {
  const { target = null, aim = null, note = '' } = told;
  const judged = ratioOf(series, anchor);
  return {
    id: told.id,
    title: told.title,
    judged,
    value: median(series.values),
    unit: series.unit,
    anchor: median(anchor.values),
    target,
    aim,
    verdict: judge(judged, target, aim),
    note,
  };
}

/** A figure without an anchor. */
export function plainFigure(told: Told, series: Series): Figure {
  const { target = null, aim = null, note = '' } = told;
  const judged = median(series.values);
  return {
    id: told.id,
    title: told.title,
    judged,
    value: judged,
    unit: series.unit,
    anchor: null,
    target,
    aim,
    verdict: judge(judged, target, aim),
    note,
  };
}

/** Formats a number with three significant digits, or with all its digits from 1,000 on. */
export function formatFigure(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en');
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
