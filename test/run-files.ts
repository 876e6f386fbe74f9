import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileLine } from './file-reporter.ts';

/**
 * Runs test files, each in a process of its own, and says of each what passed and what it cost. A file that does not
 * end in `FILE_SECONDS_MAX` is killed with all that it started, and fails by its name.
 */
export type FileResult = {
  file: string;
  passed: number;
  failures: string[];
  wallSeconds: number;
  /** Of its process and the children that it waited for; the shared PostgreSQL is not in it. */
  processorSeconds: number;
  /** It ran no test, because a file could not be loaded. */
  isBroken: boolean;
};

export const root = resolve(import.meta.dirname, '..');
const REPORTER = resolve(import.meta.dirname, 'file-reporter.ts');
const FILE_SECONDS_MAX = 600;
/** What a test file starts inherits this variable, unless it gets an environment of its own, and is found by it. */
const FILE_VARIABLE = 'EARNEST_TEST_FILE';
const OUTPUT_CHARACTERS_MAX = 100_000;
const CLOSE_MS_MAX = 2_000;

const running = new Map<string, { child: ChildProcess; startedAt: number }>();

/** The files that run now, with the seconds since their start. */
export const runningFiles = (): string[] =>
  [...running].map(([file, { startedAt }]) => `${file} (${secondsSince(startedAt).toFixed()} s)`);

export const secondsSince = (at: number): number => (performance.now() - at) / 1_000;

/** Kills a test file and what it started, also what left its process group. */
function killFile(file: string): void {
  running.get(file)?.child.kill('SIGKILL');
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) killIfOf(file, pid);
}

function killIfOf(file: string, pid: string): void {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    if (variables.includes(`${FILE_VARIABLE}=${file}`)) process.kill(Number(pid), 'SIGKILL');
  } catch (error) {
    // The process ended meanwhile, or belongs to somebody else.
    if (!['ENOENT', 'EACCES', 'EPERM', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  }
}

export function killAllFiles(): void {
  for (const file of running.keys()) killFile(file);
}

type Ended = { lines: FileLine[]; output: string; end: string; isLate: boolean };

async function runFile(file: string): Promise<FileResult> {
  const startedAt = performance.now();
  const { lines, output, end, isLate } = await untilEnd(file, startedAt);
  const wallSeconds = secondsSince(startedAt);
  const failures = lines.flatMap((line) => ('failed' in line ? [`${file}: ${line.failed}`] : []));
  const passed = lines.filter((line) => 'passed' in line).length;
  const processorSeconds = lines
    .map((line) => ('processorSeconds' in line ? line.processorSeconds : 0))
    .reduce((sum, seconds) => sum + seconds, 0);
  if (isLate) failures.push(`${file}: did not end in ${FILE_SECONDS_MAX} s`);
  else if (failures.length === 0 && (end !== '0' || lines.length < 2))
    failures.push(`${file}: ended with ${end} and ${passed} passed tests`);
  const isBroken = passed === 0 && /ERR_MODULE_NOT_FOUND|SyntaxError/.test(output);
  console.log(
    `${failures.length === 0 ? '✔' : '✖'} ${file}: ${passed} passed, ` +
      `${wallSeconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor`,
  );
  if (failures.length > 0) console.log(output);
  else printWarnings(output);
  return { file, passed, failures, wallSeconds, processorSeconds, isBroken };
}

async function untilEnd(file: string, startedAt: number): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'earnest-run-'));
  const linesPath = join(folder, 'lines');
  writeFileSync(linesPath, '');
  const child = spawn(process.execPath, [...reportersTo(linesPath), resolve(root, file)], {
    cwd: root,
    env: { ...process.env, [FILE_VARIABLE]: file },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.set(file, { child, startedAt });
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + String(chunk)).slice(-OUTPUT_CHARACTERS_MAX);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    killFile(file);
  }, FILE_SECONDS_MAX * 1_000);
  const closed = once(child, 'close');
  const [code, signal] = await once(child, 'exit');
  clearTimeout(limit);
  // A process that the file left behind may hold its output open for ever.
  await Promise.race([closed, sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
  running.delete(file);
  const lines = readFileSync(linesPath, 'utf8')
    .split('\n')
    .filter((text) => text.endsWith('}'))
    .map((text): FileLine => JSON.parse(text));
  rmSync(folder, { recursive: true, force: true });
  return { lines, output, end: String(signal ?? code), isLate };
}

const reportersTo = (linesPath: string): string[] => [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  `--test-reporter=${REPORTER}`,
  `--test-reporter-destination=${linesPath}`,
];

function printWarnings(output: string): void {
  for (const text of output.match(/^.*Warning: .*$/gm) ?? []) console.log(`  warning: ${text}`);
}

/**
 * Runs the files in their order, so many at once, and adds each result when its file has ended. Begins no more once one
 * of them could not be loaded.
 */
export async function runFiles(
  what: string,
  files: string[],
  concurrency: number,
  results: FileResult[],
): Promise<void> {
  if (files.length === 0) return;
  console.log(`\n— ${what}: ${files.length} files`);
  const waiting = [...files];
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const result = await runFile(file);
      results.push(result);
      if (result.isBroken) waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}
