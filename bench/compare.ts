import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { formatFigure, median } from './figure.ts';

/**
 * `npm run bench:compare -- REVISION [b1 b3 …]`: compares the speed of this tree with an earlier commit.
 * Both programs run at the same time, each with its own database, and exactly one of them is measured at any moment, in
 * nine rounds that alternate which comes first. The figure is the median of after ÷ before over the rounds, so a slow
 * minute of the machine affects both. Anchors are left out, because the earlier commit is the anchor.
 */
const root = resolve(import.meta.dirname, '..');
const ROUNDS = 9;
const RATIO_MIN = 0.95;
const isAnchor = (name: string): boolean => /^(minimal credit|bare )/.test(name);

/** A message of `interleave` in figure.ts: a measurement that waits for its turn, or its value. */
type Message = { name: string; value?: number };

type Measured = { isDone: false; name: string; value: number } | { isDone: true };

/** One bench of one tree, run one measurement at a time. */
function startBench(tree: string, bench: string) {
  const child: ChildProcess = spawn(process.execPath, ['bench/run.ts', bench], {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, BENCH_ROUNDS: String(ROUNDS) },
  });
  const waiting: Message[] = [];
  let hasEnded = false;
  let wake = () => {};
  child.on('message', (message) => {
    waiting.push(message as Message);
    wake();
  });
  child.on('exit', () => {
    hasEnded = true;
    wake();
  });
  const next = async (): Promise<Message | undefined> => {
    while (waiting.length === 0 && !hasEnded)
      await new Promise<void>((resolveWait) => {
        wake = resolveWait;
      });
    return waiting.shift();
  };
  /** Waits until the next measurement that is no anchor is ready. */
  const prepare = async (): Promise<string | undefined> => {
    for (;;) {
      const message = await next();
      if (message === undefined) return undefined;
      if (message.value !== undefined) continue;
      if (!isAnchor(message.name)) return message.name;
      child.send({ isWanted: false });
    }
  };
  const measure = async (name: string): Promise<Measured> => {
    child.send({ isWanted: true });
    const message = await next();
    return message?.value === undefined ? { isDone: true } : { isDone: false, name, value: message.value };
  };
  /** Ends the bench without further measurements. It still proves its records and removes its data. */
  const finish = async (): Promise<void> => {
    child.send({ isWanted: false });
    while ((await prepare()) !== undefined) child.send({ isWanted: false });
  };
  return { prepare, measure, finish };
}

/**
 * Checks the earlier commit out into a folder with its own packages. It gets this tree's figure.ts, which waits
 * between measurements, and report.ts, which prints what figure.ts makes.
 */
function checkOut(revision: string): { tree: string; remove(): void } {
  const tree = join(mkdtempSync(join(tmpdir(), 'earnest-before-')), 'tree');
  execFileSync('git', ['worktree', 'add', '--detach', tree, revision], { cwd: root, stdio: 'ignore' });
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: tree, stdio: 'ignore' });
  for (const name of ['figure.ts', 'report.ts'])
    copyFileSync(join(root, 'bench', name), join(tree, 'bench', name));
  return {
    tree,
    remove: () => {
      execFileSync('git', ['worktree', 'remove', '--force', tree], { cwd: root });
      rmSync(resolve(tree, '..'), { recursive: true, force: true });
    },
  };
}

async function compareBench(trees: { before: string; after: string }, bench: string) {
  const sides = { before: startBench(trees.before, bench), after: startBench(trees.after, bench) };
  const values = { before: new Map<string, number[]>(), after: new Map<string, number[]>() };
  for (let turn = 0; ; turn += 1) {
    const ready = { before: await sides.before.prepare(), after: await sides.after.prepare() };
    if (ready.before === undefined || ready.after === undefined) {
      if (ready.before !== undefined) await sides.before.finish();
      if (ready.after !== undefined) await sides.after.finish();
      break;
    }
    const order = turn % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const);
    for (const side of order) {
      const measured = await sides[side].measure(ready[side] as string);
      if (measured.isDone) throw new Error(`${bench} of the tree ${side} ended within a measurement`);
      values[side].set(measured.name, [...(values[side].get(measured.name) ?? []), measured.value]);
    }
  }
  if (values.before.size === 0) throw new Error(`${bench} measured nothing in common in the two trees`);
  return [...values.after].flatMap(([name, after]) => {
    const before = values.before.get(name);
    return before === undefined ? [] : [{ name, before, after }];
  });
}

const [revision, ...names] = process.argv.slice(2);
if (revision === undefined) {
  process.stderr.write('Which commit is compared with? npm run bench:compare -- REVISION [b1 b3 …]\n');
  process.exit(2);
}
const before = checkOut(revision);
let isSlower = false;
try {
  for (const bench of names.length > 0 ? names : ['b1', 'b3', 'b5', 'b6', 'b7'])
    for (const series of await compareBench({ before: before.tree, after: root }, bench)) {
      const ratios = series.after.map((value, round) => value / (series.before[round] as number));
      const ratio = median(ratios);
      isSlower ||= ratio < RATIO_MIN;
      const rounds = ratios.map((one) => one.toFixed(2)).join(' ');
      console.log(
        `${bench} ${series.name}: ${formatFigure(median(series.before))} → ${formatFigure(median(series.after))}, ` +
          `after ÷ before ${ratio.toFixed(3)} (${rounds})`,
      );
    }
} finally {
  before.remove();
}
process.exitCode = isSlower ? 1 : 0;
