import { type Bench, type BenchOptions, interleave, type Outcome, plainFigure } from './figure.ts';
import { newDataDir, removeDataDir, startProgram, stopProgram } from './site.ts';

/**
 * B15: the time from the start of the process to the first successful answer of /readyz, in sandbox mode as `npm
 * start` runs it.
 */
async function startSeconds(dataDir: string): Promise<number> {
  const program = await startProgram(dataDir);
  await stopProgram(program);
  return program.readyMs / 1000;
}

async function run(options: BenchOptions): Promise<Outcome> {
  const initialised = newDataDir();
  const empty: string[] = [];
  try {
    await startSeconds(initialised);
    const series = await interleave(
      {
        'start, initialised': () => startSeconds(initialised),
        'first start': () => {
          const dataDir = newDataDir();
          empty.push(dataDir);
          return startSeconds(dataDir);
        },
      },
      { unit: 's', log: options.log },
    );
    return {
      figures: [
        plainFigure(
          { id: 'B15', title: 'Start to ready, initialised', target: { max: 2 }, aim: { max: 1 } },
          series['start, initialised'],
        ),
        plainFigure(
          { id: 'B15', title: 'First start, empty data directory', target: { max: 5 }, aim: { max: 3 } },
          series['first start'],
        ),
      ],
      series: Object.values(series),
      notes: [],
    };
  } finally {
    for (const dataDir of [initialised, ...empty]) removeDataDir(dataDir);
  }
}

export const startBench: Bench = { name: 'b15', ids: ['B15'], run };
