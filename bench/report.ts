import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join, resolve } from 'node:path';
import {
  type Bound,
  type Figure,
  formatFigure,
  isNoisy,
  type Outcome,
  type Series,
  spreadOf,
} from './figure.ts';

/** Writes the table for people, and JSON for comparing runs. */
const folder = resolve(import.meta.dirname, '../.cache/bench');

const boundText = (bound: Bound | null): string =>
  bound === null ? '–' : 'min' in bound ? `≥ ${bound.min}` : `≤ ${bound.max}`;

const rowOf = (figure: Figure): string[] => [
  figure.id,
  figure.title,
  `${formatFigure(figure.value)} ${figure.unit}`,
  figure.anchor === null ? '–' : `${formatFigure(figure.anchor)} ${figure.unit}`,
  figure.anchor === null ? '–' : figure.judged.toFixed(2),
  boundText(figure.target),
  boundText(figure.aim),
  figure.verdict,
];

const heads = ['#', 'figure', 'value', 'anchor', 'ratio', 'target', 'aim', 'verdict'];

/** Formats a table that is readable as text and valid as Markdown. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = [heads, ...figures.map(rowOf)];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  const lineOf = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [lineOf(heads), rule, ...rows.slice(1).map(lineOf)].join('\n');
}

const git = (...args: string[]): string => {
  try {
    return execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
};

function machine() {
  return {
    processor: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()}`,
    node: process.version,
    load: os.loadavg().map((value) => Number(value.toFixed(2))),
  };
}

/** The series that vary too much between rounds, one line each. */
export const noiseOf = (series: readonly Series[]): string[] =>
  series
    .filter(isNoisy)
    .map((one) => `${one.name}: ${(spreadOf(one.values) * 100).toFixed(0)}% between rounds`);

export type Named = Outcome & { name: string };

/** Writes the run's file beside the earlier ones and returns its path. */
export function writeRun(outcomes: readonly Named[], isFull: boolean): string {
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = join(folder, `${at.replaceAll(':', '-')}.json`);
  const run = {
    at,
    commit: git('rev-parse', 'HEAD'),
    isDirty: git('status', '--porcelain') !== '',
    isFull,
    machine: machine(),
    benches: outcomes,
  };
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);
  return file;
}
