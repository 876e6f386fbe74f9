import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';

type Property<Input> = fc.IAsyncProperty<[Input]>;

/**
 * Makes tests of a property: one for each stored seed, and one with `CAMPAIGN_RUNS` new random sequences (by default
 * `runsShort`; 1,000 and 10,000 as campaigns). A failing seed is printed and stored in the file, so that it runs first
 * next time, with a few sequences that follow from it. Only stored seeds are shrunk to simpler commands, because that
 * takes minutes.
 */
export function testProperty<Input>(
  what: string,
  property: Property<Input>,
  seedsFile: URL,
  runsShort: number,
): void {
  const runs = Number(process.env.CAMPAIGN_RUNS ?? runsShort);
  const readKept = () => JSON.parse(fs.readFileSync(seedsFile, 'utf8')) as { seed: number; path: string }[];

  for (const kept of readKept())
    test(`Commands of the failed seed ${kept.seed} (${kept.path}) ${what}`, () =>
      fc.assert(property, { ...kept, numRuns: 5 }));

  test(`${runs} sequences of concurrent commands ${what}`, async () => {
    const result = await fc.check(property, {
      numRuns: runs,
      endOnFailure: true,
      interruptAfterTimeLimit: 3_600_000,
    });
    if (!result.failed) {
      assert.equal(result.numRuns, runs);
      return;
    }
    const failed = { seed: result.seed, path: result.counterexamplePath ?? '' };
    fs.writeFileSync(seedsFile, `${JSON.stringify([...readKept(), failed], null, 2)}\n`);
    throw new Error(fc.defaultReportMessage(result), { cause: result.errorInstance });
  });
}

/** Awaits all calls before it reports a failure, so that no call still runs in the next sequence. */
export async function finishAll<Answer>(calls: Promise<Answer>[]): Promise<Answer[]> {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}
