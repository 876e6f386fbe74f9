import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileResult, root } from './run-files.ts';

/**
 * What each test file cost in the last run, which orders the next one: the longest begin first, because one that began
 * late would run alone at the end. A run writes the figures to `.cache/`. A new checkout has those of
 * `test/file-costs.json`, which is a copy of them.
 */
export type Costs = Record<string, { wallSeconds: number; processorSeconds: number }>;

const MADE = join(root, 'test/file-costs.json');
const LAST = join(root, '.cache/file-costs.json');
const DEAREST_SHOWN = 20;

function readCosts(path: string): Costs {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

const known: Costs = { ...readCosts(MADE), ...readCosts(LAST) };

/** Longest first; a file that nobody has run yet begins before all. */
export const byCost = (one: string, other: string): number =>
  wallOf(other) - wallOf(one) || (one < other ? -1 : 1);

const wallOf = (file: string): number => known[file]?.wallSeconds ?? Number.MAX_SAFE_INTEGER;

export function writeCosts(results: FileResult[]): void {
  for (const { file, wallSeconds, processorSeconds } of results)
    known[file] = { wallSeconds: toTenths(wallSeconds), processorSeconds: toTenths(processorSeconds) };
  mkdirSync(join(root, '.cache'), { recursive: true });
  const sorted = Object.fromEntries(Object.entries(known).sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(LAST, `${JSON.stringify(sorted, null, 2)}\n`);
}

const toTenths = (seconds: number): number => Math.round(seconds * 10) / 10;

export function printDearest(results: FileResult[]): void {
  const dearest = results
    .toSorted((one, other) => other.processorSeconds - one.processorSeconds)
    .slice(0, DEAREST_SHOWN);
  console.log(`\nThe ${dearest.length} dearest files, in seconds of processor and of wall time:`);
  for (const { file, wallSeconds, processorSeconds } of dearest)
    console.log(`${processorSeconds.toFixed(1).padStart(8)} ${wallSeconds.toFixed(1).padStart(8)}  ${file}`);
}
