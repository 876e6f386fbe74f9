import { addMovements } from './bulk-rows.ts';
import {
  type Bench,
  type BenchOptions,
  interleave,
  type Outcome,
  ratioFigure,
  type Series,
} from './figure.ts';
import { type Site, startSite } from './site.ts';
import { load } from './start-load.ts';
import { addMembers, assertBooksClean, openSessions } from './world.ts';

/**
 * B8: pages of a history in a small and in a large table, on two sites in turns. The measured member has ten thousand
 * movements on both. On the large site they are scattered among those of 200,000 others, and there another member's
 * own history is half of the table.
 */
const CONNECTIONS = 16;
const WARMUP_SECONDS = 1;
const OWN_ROWS = 10_000;
const OTHER_MEMBERS = 200_000;
const PAGE = '/api/user/history?limit=10&page=';
const pages = [1, 1_000];

const rowsOf = ({ isFull }: BenchOptions): number => (isFull ? 20_000_000 : 5_000_000);

async function fillSmall(site: Site): Promise<string[]> {
  await addMembers(site, 1);
  await addMovements(site, { members: 1, count: OWN_ROWS });
  return openSessions(site, 1);
}

/** Member 0 is measured as on the small site. Member 1 has half of the rows. */
async function fillLarge(site: Site, rows: number): Promise<string[]> {
  await addMembers(site, OTHER_MEMBERS + 2);
  const half = rows / 2;
  await addMovements(site, { memberStart: 1, members: 1, count: half });
  await addMovements(site, { memberStart: 2, members: OTHER_MEMBERS, count: half, every: half / OWN_ROWS });
  return openSessions(site, 2);
}

function reader(site: Site, cookie: string, page: number, seconds: number): () => Promise<number> {
  const spec = {
    port: site.port,
    connections: CONNECTIONS,
    warmupSeconds: WARMUP_SECONDS,
    seconds,
    ratePerSecond: null,
  };
  return async () =>
    (await load({ ...spec, requests: { kind: 'get', path: PAGE + page, cookies: [cookie] } })).perSecond;
}

async function measure(small: Site, large: Site, options: BenchOptions): Promise<Outcome> {
  const seconds = options.isFull ? 10 : 4;
  const rows = rowsOf(options);
  options.log(`  writing ${rows.toLocaleString('en')} movements`);
  const [smallCookie = ''] = await fillSmall(small);
  const [sameCookie = '', longCookie = ''] = await fillLarge(large, rows);
  for (const site of [small, large]) await assertBooksClean(site.superuser);
  const measurements: Record<string, () => Promise<number>> = {};
  for (const page of pages) {
    measurements[`page ${page}, small`] = reader(small, smallCookie, page, seconds);
    measurements[`page ${page}, large`] = reader(large, sameCookie, page, seconds);
    measurements[`page ${page}, large, long history`] = reader(large, longCookie, page, seconds);
  }
  const series = await interleave(measurements, { unit: '/s', log: options.log });
  const of = (name: string) => series[name] as Series;
  // The time for a page on the large site ÷ on the small one is the inverse ratio of the rates.
  const figures = pages.flatMap((page) =>
    ['', ', long history'].map((kind) =>
      ratioFigure(
        {
          id: 'B8',
          title: `History page ${page}, time with ${rows.toLocaleString('en')} rows${kind} ÷ with 10,000`,
          target: { max: 1.5 },
          aim: { max: 1.2 },
        },
        of(`page ${page}, small`),
        of(`page ${page}, large${kind}`),
      ),
    ),
  );
  return { figures, series: Object.values(series), notes: ['The books of both sites audit clean'] };
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

export const historyBench: Bench = { name: 'b8', ids: ['B8'], run };
