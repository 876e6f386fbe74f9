import { addMovements } from './bulk-rows.ts';
import { type Bench, type BenchOptions, interleave, type Outcome, ratioFigure } from './figure.ts';
import { type Site, withSite } from './site.ts';
import { startBareServer } from './start-bare-server.ts';
import { load } from './start-load.ts';
import { addMembers, MEMBER_FIRST, openSessions } from './world.ts';

/** B6 and B7: reads of members' screens with a session, compared with the same framework without the product. */
const CONNECTIONS = 64;
const WARMUP_SECONDS = 2;
const MOVEMENTS_PER_MEMBER = 100;

const secondsOf = ({ isFull }: BenchOptions): number => (isFull ? 15 : 6);

/** Measures a path once. Every connection is another member with its own session. */
function reader(port: number, path: string, cookies: string[], seconds: number): () => Promise<number> {
  const spec = {
    port,
    connections: CONNECTIONS,
    warmupSeconds: WARMUP_SECONDS,
    seconds,
    ratePerSecond: null,
  };
  return async () => (await load({ ...spec, requests: { kind: 'get', path, cookies } })).perSecond;
}

async function withBareServer<T>(
  site: Site,
  work: (port: number, cookies: string[]) => Promise<T>,
): Promise<T> {
  await addMembers(site, 1_000);
  await addMovements(site, { members: 1_000, count: 1_000 * MOVEMENTS_PER_MEMBER });
  const cookies = await openSessions(site, CONNECTIONS);
  const bare = await startBareServer(site);
  try {
    return await work(bare.port, cookies);
  } finally {
    await bare.close();
  }
}

async function measureUser(options: BenchOptions): Promise<Outcome> {
  const seconds = secondsOf(options);
  return withSite((site) =>
    withBareServer(site, async (barePort, cookies) => {
      const series = await interleave(
        {
          'bare JSON route': reader(barePort, '/json', [], seconds),
          'GET /api/user': reader(site.port, '/api/user', cookies, seconds),
        },
        { unit: '/s', log: options.log },
      );
      return {
        figures: [
          ratioFigure(
            {
              id: 'B6',
              title: 'GET /api/user with a session ÷ bare JSON route',
              target: { min: 0.5 },
              aim: { min: 0.65 },
            },
            series['GET /api/user'],
            series['bare JSON route'],
          ),
        ],
        series: Object.values(series),
        notes: [],
      };
    }),
  );
}

async function measureBooks(options: BenchOptions): Promise<Outcome> {
  const seconds = secondsOf(options);
  return withSite((site) =>
    withBareServer(site, async (barePort, cookies) => {
      const series = await interleave(
        {
          'bare route, one row by key': reader(barePort, `/row/${MEMBER_FIRST}`, [], seconds),
          'GET /api/user/stats': reader(site.port, '/api/user/stats', cookies, seconds),
          'GET /api/user/history': reader(site.port, '/api/user/history', cookies, seconds),
          // The newest page is cached while nothing is posted. Every other page is read each time.
          'GET /api/user/history?page=2': reader(site.port, '/api/user/history?page=2', cookies, seconds),
        },
        { unit: '/s', log: options.log },
      );
      const anchor = series['bare route, one row by key'];
      const bounds = { target: { min: 0.7 }, aim: { min: 0.9 } };
      return {
        figures: [
          ratioFigure(
            { id: 'B7', title: 'GET /api/user/stats ÷ bare route that reads one row', ...bounds },
            series['GET /api/user/stats'],
            anchor,
          ),
          ratioFigure(
            { id: 'B7', title: 'History page 1 (10 rows) ÷ bare route that reads one row', ...bounds },
            series['GET /api/user/history'],
            anchor,
          ),
          ratioFigure(
            { id: 'B7', title: 'History page 2, which is not kept ÷ bare route that reads one row' },
            series['GET /api/user/history?page=2'],
            anchor,
          ),
        ],
        series: Object.values(series),
        notes: [],
      };
    }),
  );
}

export const userBench: Bench = { name: 'b6', ids: ['B6'], run: measureUser };
export const booksBench: Bench = { name: 'b7', ids: ['B7'], run: measureBooks };
