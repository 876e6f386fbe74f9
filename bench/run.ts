import { fewerPostbacksBench, postbacksBench } from './b1-postbacks.ts';
import { functionBench, scalingBench } from './b3-function.ts';
import { flipsBench } from './b5-coinflip.ts';
import { booksBench, userBench } from './b6-reads.ts';
import { historyBench } from './b8-history.ts';
import { growthBench } from './b9-growth.ts';
import { socketsBench } from './b11-sockets.ts';
import { startBench } from './b15-start.ts';
import { memoryBench } from './b16-memory.ts';
import { landingBench } from './b17-landing.ts';
import { homeBench } from './b19-home.ts';
import { auditBench } from './b20-audit.ts';
import { answerBench } from './b22-answer.ts';
import type { Bench } from './figure.ts';
import { type Named, noiseOf, tableOf, writeRun } from './report.ts';
import { riskBench } from './risk-checks.ts';

/**
 * `npm run bench`: measures the costs of the product, most as a ratio to an anchor of the same run. Names on the
 * command line choose benches (`npm run bench -- b1 b3`). `--full` adds the long ones and measures longer.
 */
const benches: Bench[] = [
  postbacksBench,
  fewerPostbacksBench,
  functionBench,
  scalingBench,
  flipsBench,
  userBench,
  booksBench,
  historyBench,
  growthBench,
  socketsBench,
  startBench,
  memoryBench,
  landingBench,
  homeBench,
  auditBench,
  answerBench,
  riskBench,
];

const args = process.argv.slice(2);
const isFull = args.includes('--full');
const names = args.filter((word) => !word.startsWith('--')).map((word) => word.toLowerCase());
const unknown = names.filter((name) => !benches.some((bench) => bench.name === name));
const log = (line: string) => void process.stderr.write(`${line}\n`);

async function measure(bench: Bench): Promise<Named> {
  log(`${bench.name} (${bench.ids.join(', ')})`);
  const outcome = await bench.run({ isFull, log });
  for (const note of outcome.notes) log(`  ${note}`);
  return { name: bench.name, ...outcome };
}

if (unknown.length > 0) {
  log(`No such bench: ${unknown.join(', ')}. There are ${benches.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
const chosen = benches.filter(({ name, isFullOnly }) =>
  names.length > 0 ? names.includes(name) : isFull || isFullOnly !== true,
);
const outcomes: Named[] = [];
for (const bench of chosen) outcomes.push(await measure(bench));

console.log(`\n${tableOf(outcomes.flatMap(({ figures }) => figures))}\n`);
const noise = outcomes.flatMap(({ name, series }) => noiseOf(series).map((line) => `${name}: ${line}`));
if (noise.length > 0) console.log(`Busy machine, repeat:\n${noise.map((line) => `  ${line}`).join('\n')}\n`);
console.log(`Written to ${writeRun(outcomes, isFull)}`);
process.exitCode = outcomes.some(({ figures }) => figures.some(({ verdict }) => verdict === 'missed'))
  ? 1
  : 0;
