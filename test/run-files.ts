import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FileLine, type FileOrder, WORKER_VARIABLE } from './file-lines.ts';

/**
 * Runs test files in a few processes, each file after the other, and says of each what passed and what it cost. A file
 * that does not end in `FILE_SECONDS_MAX` is killed with its process and all that this started, and fails by its name.
 */
export type FileResult = {
  file: string;
  passed: number;
  failures: string[];
  wallSeconds: number;
  /** Of its process and what this started; the shared PostgreSQL is not in it. */
  processorSeconds: number;
  /** It ran no test, because a file could not be loaded. */
  isBroken: boolean;
};

export const root = resolve(import.meta.dirname, '..');
const WORKER = resolve(import.meta.dirname, 'file-worker.ts');
const FILE_SECONDS_MAX = 300;
const OUTPUT_CHARACTERS_MAX = 100_000;
const CLOSE_MS_MAX = 2_000;
/** A process that has grown larger runs no other file: with each, modules and compiled code stay in its memory. */
const WORKER_BYTES_MAX = 900_000_000;

type Worker = {
  name: string;
  child: ChildProcess;
  output: string;
  ended: Promise<string>;
  closed: Promise<unknown>;
};

let workerCount = 0;
const running = new Map<string, { worker: Worker; startedAt: number }>();

/** The files that run now, with the seconds since their start. */
export const runningFiles = (): string[] =>
  [...running].map(([file, { startedAt }]) => `${file} (${secondsSince(startedAt).toFixed()} s)`);

export const secondsSince = (at: number): number => (performance.now() - at) / 1_000;

/** Kills a process of the run and what it started, also what left its process group. */
function killWorker({ name, child }: Worker): void {
  child.kill('SIGKILL');
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((it) => /^\d+$/.test(it))) killIfOf(name, pid);
}

function killIfOf(name: string, pid: string): void {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    if (variables.includes(`${WORKER_VARIABLE}=${name}`)) process.kill(Number(pid), 'SIGKILL');
  } catch (error) {
    // The process ended meanwhile, or belongs to somebody else.
    if (!['ENOENT', 'EACCES', 'EPERM', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  }
}

export function killAllFiles(): void {
  for (const { worker } of running.values()) killWorker(worker);
}

function startWorker(environment: NodeJS.ProcessEnv): Worker {
  workerCount += 1;
  const name = `${process.pid}-${workerCount}`;
  const child = spawn(process.execPath, [WORKER], {
    cwd: root,
    env: { ...environment, [WORKER_VARIABLE]: name },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const worker: Worker = {
    name,
    child,
    output: '',
    ended: once(child, 'exit').then(([code, signal]) => String(signal ?? code)),
    closed: once(child, 'close'),
  };
  const keep = (chunk: Buffer) => {
    worker.output = (worker.output + String(chunk)).slice(-OUTPUT_CHARACTERS_MAX);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return worker;
}

/** Ends an idle process, and kills what it left behind. */
async function endWorker(worker: Worker): Promise<void> {
  if (worker.child.connected) worker.child.disconnect();
  await Promise.race([worker.ended, sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
  killWorker(worker);
}

type Ended = { lines: FileLine[]; end: string; isLate: boolean };

async function runFile(worker: Worker, order: FileOrder): Promise<FileResult & { memoryBytes: number }> {
  const { file } = order;
  const startedAt = performance.now();
  worker.output = '';
  running.set(file, { worker, startedAt });
  const { lines, end, isLate } = await untilEnd(worker, order);
  running.delete(file);
  const wallSeconds = secondsSince(startedAt);
  const failures = lines.flatMap((line) => ('failed' in line ? [`${file}: ${line.failed}`] : []));
  const passed = lines.filter((line) => 'passed' in line).length;
  const last = lines.find((line) => 'report' in line);
  if (isLate) failures.push(`${file}: did not end in ${FILE_SECONDS_MAX} s; running: ${runningTests(lines)}`);
  else if (failures.length === 0 && (last === undefined || !lines.some(isResult)))
    failures.push(`${file}: ended with ${end} and ${passed} passed tests`);
  const output = `${worker.output}${last?.report ?? ''}`;
  const isBroken = passed === 0 && /ERR_MODULE_NOT_FOUND|SyntaxError/.test(output);
  const { processorSeconds = 0, memoryBytes = 0 } = last ?? {};
  console.log(
    `${failures.length === 0 ? '✔' : '✖'} ${file}: ${passed} passed, ` +
      `${wallSeconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor`,
  );
  if (failures.length > 0) console.log(output);
  else printWarnings(output);
  return { file, passed, failures, wallSeconds, processorSeconds, isBroken, memoryBytes };
}

const isResult = (line: FileLine): boolean => 'passed' in line || 'skipped' in line;

function runningTests(lines: FileLine[]): string {
  const ended = new Set(lines.flatMap((line) => ('ended' in line ? [line.ended] : [])));
  const began = lines.flatMap((line) => ('began' in line ? [line.began] : []));
  return began.filter((name) => !ended.has(name)).join(', ') || 'no test';
}

/** Sends the file to the process, and gathers what it says until its last line or the end of the process. */
async function untilEnd(worker: Worker, order: FileOrder): Promise<Ended> {
  const { child } = worker;
  const lines: FileLine[] = [];
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    killWorker(worker);
  }, FILE_SECONDS_MAX * 1_000);
  const done = new Promise<string>((resolveDone) => {
    child.on('message', (line: FileLine) => {
      lines.push(line);
      if ('report' in line) resolveDone('a report');
    });
  });
  // If the process has ended, its end says so.
  child.send(order, () => undefined);
  const end = await Promise.race([done, worker.ended]);
  child.removeAllListeners('message');
  clearTimeout(limit);
  // Its output may come after its end; a process that it left behind may hold it open for ever.
  if (!lines.some((line) => 'report' in line))
    await Promise.race([worker.closed, sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
  return { lines, end, isLate };
}

function printWarnings(output: string): void {
  for (const text of output.match(/^.*Warning: .*$/gm) ?? []) console.log(`  warning: ${text}`);
}

type Options = {
  concurrency: number;
  /** Each file has a process of its own. */
  isAlone?: boolean;
  /** Of the processes; that of this one by default. */
  environment?: NodeJS.ProcessEnv;
  /** Tests whose title has this word are left out. */
  skippedWord?: string;
};

/**
 * Runs the files in their order in so many processes, and adds each result when its file has ended. Begins no more once
 * one of them could not be loaded.
 */
export async function runFiles(
  what: string,
  files: string[],
  results: FileResult[],
  { concurrency, isAlone = false, environment = process.env, skippedWord }: Options,
): Promise<void> {
  if (files.length === 0) return;
  console.log(`\n— ${what}: ${files.length} files`);
  const waiting = [...files];
  const work = async () => {
    let worker: Worker | undefined;
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      worker ??= startWorker(environment);
      const { memoryBytes, ...result } = await runFile(worker, { file, skippedWord });
      results.push(result);
      if (result.isBroken) waiting.length = 0;
      const isSpent = memoryBytes === 0 || memoryBytes > WORKER_BYTES_MAX || result.failures.length > 0;
      if (isSpent || isAlone) worker = void (await endWorker(worker));
    }
    if (worker !== undefined) await endWorker(worker);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, files.length) }, work));
}
