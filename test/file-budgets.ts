import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type FileResult, root } from './run-files.ts';

/**
 * What a test file may cost: processor seconds of its process and of what this starts. A file above its budget fails
 * the run. The budgets are those of a machine that needs `REFERENCE_MS` for a fixed piece of work; a slower one gives
 * more seconds, in proportion.
 */
const SECONDS_OF_UNIT = 8;
const SECONDS_OF_SITE = 20;
const SECONDS_OF_BROWSER = 40;

/** Files that cost more, and why they must. */
const exceptions: Record<string, { seconds: number; reason: string }> = {
  'test/screens.e2e.test.ts': { seconds: 60, reason: 'opens every screen' },
  'test/support.e2e.test.ts': {
    seconds: 60,
    reason: 'a member and an operator at once, by the line and again by polling alone',
  },
  'test/static.test.ts': { seconds: 40, reason: 'checks the types and the format of the whole tree' },
  'test/process.site.test.ts': {
    seconds: 30,
    reason: 'starts the real process, mostly on an own PostgreSQL',
  },
  'server/withdrawals/payouts.test.ts': { seconds: 15, reason: 'kills at each step on a real coin node' },
  'server/withdrawals/restore.test.ts': { seconds: 15, reason: 'kills and restores on a real coin node' },
  'server/platform/embedded-postgres.test.ts': { seconds: 15, reason: 'starts and kills PostgreSQL' },
  'server/earning/catalogue-import-turns.test.ts': { seconds: 15, reason: 'imports the largest file' },
};
for (const file of Object.keys(exceptions))
  assert.ok(existsSync(resolve(root, file)), `There is no file ${file}`);

const REFERENCE_MS = 40;
const ROUNDS = 40;
const BLOCK_BYTES = 1_000_000;

/** How many times slower than the reference this machine is, at least 1. */
export function slownessOfMachine(): number {
  const block = Buffer.alloc(BLOCK_BYTES, 'points');
  const times = Array.from({ length: 3 }, () => {
    const { user, system } = process.cpuUsage();
    const counts = new Map<number, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [byte = 0] = createHash('sha256').update(block).digest();
      for (let index = 0; index < BLOCK_BYTES / 20; index += 1) {
        const key = (block[index] ?? 0) * byte + (index % 997);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const spent = process.cpuUsage();
    return (spent.user + spent.system - user - system) / 1_000;
  });
  return Math.max(1, Math.min(...times) / REFERENCE_MS);
}

/** A list with a sentence for a file above its budget. */
export function budgetFault({ file, processorSeconds }: FileResult, slowness: number): string[] {
  const kind = /\.(site|e2e)\.test\.ts$/.exec(file)?.[1];
  const seconds =
    exceptions[file]?.seconds ??
    { site: SECONDS_OF_SITE, e2e: SECONDS_OF_BROWSER }[kind ?? ''] ??
    SECONDS_OF_UNIT;
  const most = seconds * slowness;
  if (processorSeconds <= most) return [];
  return [`${file}: took ${processorSeconds.toFixed(1)} s of processor; its budget is ${most.toFixed(1)} s`];
}
