import { creditScript } from './b3-function.ts';
import { addMovements } from './bulk-rows.ts';
import { type Bench, type BenchOptions, interleave, type Outcome, ratioFigure } from './figure.ts';
import { pgbench } from './pgbench.ts';
import { type Site, startSite } from './site.ts';
import { addMembers, assertBooksClean } from './world.ts';

/**
 * B9: credits in a large and in a small table, on two sites in turns, with 200,000 members on both. Ten thousand of
 * them are active; a second figure has all of them active. It measures the rate of the booking function, because HTTP
 * would hide growth.
 */
const MEMBERS = 200_000;
const ACTIVE_MEMBERS = 10_000;
const SMALL_ROWS = 10_000;
const LARGE_ROWS = 2_000_000;
const LARGE_ROWS_FULL = 20_000_000;
const CLIENTS = 16;

const rowsOf = ({ isFull }: BenchOptions): number => (isFull ? LARGE_ROWS_FULL : LARGE_ROWS);

async function fill(site: Site, rows: number): Promise<void> {
  await addMembers(site, MEMBERS);
  await addMovements(site, { members: Math.min(MEMBERS, rows), count: rows, withEarnings: true });
}

function credits({ urls }: Site, members: number, seconds: number): () => Promise<number> {
  return () => pgbench({ url: urls.appUrl, script: creditScript(members), clients: CLIENTS, seconds });
}

async function measure(small: Site, large: Site, options: BenchOptions): Promise<Outcome> {
  const seconds = options.isFull ? 30 : 6;
  const rows = rowsOf(options);
  options.log(`  writing ${rows.toLocaleString('en')} movements and earnings`);
  await fill(small, SMALL_ROWS);
  await fill(large, rows);
  for (const site of [small, large]) await credits(site, MEMBERS, 3)();
  const series = await interleave(
    {
      small: credits(small, ACTIVE_MEMBERS, seconds),
      large: credits(large, ACTIVE_MEMBERS, seconds),
      'small, all active': credits(small, MEMBERS, seconds),
      'large, all active': credits(large, MEMBERS, seconds),
    },
    { unit: '/s', log: options.log },
  );
  for (const site of [small, large]) await assertBooksClean(site.superuser);
  const title = `Credits with ${rows.toLocaleString('en')} movements ÷ with 10,000`;
  const bounds = { target: { min: 0.85 }, aim: { min: 0.95 } };
  return {
    figures: [
      ratioFigure(
        { id: 'B9', title: `${title}, 10,000 members active`, ...bounds },
        series.large,
        series.small,
      ),
      ratioFigure(
        { id: 'B9', title: `${title}, all 200,000 active` },
        series['large, all active'],
        series['small, all active'],
      ),
    ],
    series: Object.values(series),
    notes: ['The books of both sites audit clean'],
  };
}

async function run(options: BenchOptions): Promise<Outcome> {
  const small = await startSite();
  try {
    const large = await startSite();
    try {
      return await measure(small, large, options);
    } finally {
      await large.close();
    }
  } finally {
    await small.close();
  }
}

export const growthBench: Bench = { name: 'b9', ids: ['B9'], run };
