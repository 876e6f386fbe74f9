import { sql } from '#platform/database.ts';
import { prepareAnchor } from './anchor.ts';
import { type Bench, type BenchOptions, interleave, type Outcome, ratioFigure } from './figure.ts';
import type { LoadResult } from './load-spec.ts';
import { type Site, withSite } from './site.ts';
import { load } from './start-load.ts';
import { addMembers, assertBooksClean, MEMBER_FIRST, openSessions } from './world.ts';

/**
 * B5: coin flips over HTTP. Each is answered when its stake, its prize, its game and the wallet are durable. The
 * superuser removes the daily limit, which no configuration can do. After the last round the bench looks up every
 * acknowledged game and audits the books.
 */
const PLAYERS = 2_000;
const BALANCE_POINTS = 1_000_000_000n;
const CONNECTIONS = 16;
const WARMUP_SECONDS = 2;

type Flips = { send(): Promise<LoadResult>; acknowledged(): number };

async function prepareFlips(site: Site, seconds: number): Promise<Flips> {
  const { superuser } = site;
  await addMembers(site);
  await superuser.rows(sql`update coinflip.rules set max_games_per_day = 1000000000`);
  await superuser.rows(sql`
    select ledger.post_one(id, 'bench:' || id, 'grant', ${BALANCE_POINTS}, 'grants', 'Bench', null, null, false)
    from generate_series(${MEMBER_FIRST}::integer, ${MEMBER_FIRST + PLAYERS - 1}::integer) id`);
  const cookies = await openSessions(site, PLAYERS);
  let acknowledged = 0;
  return {
    async send() {
      const result = await load({
        port: site.port,
        connections: CONNECTIONS,
        warmupSeconds: WARMUP_SECONDS,
        seconds,
        ratePerSecond: null,
        requests: {
          kind: 'post',
          path: '/api/coin-flip',
          origin: site.origin,
          cookies,
          body: '{"betAmount":25,"playerChoice":"heads"}',
        },
      });
      acknowledged += result.acknowledged;
      return result;
    },
    acknowledged: () => acknowledged,
  };
}

async function assertPlayed({ superuser }: Site, acknowledged: number): Promise<string> {
  const { games, stakes, prizes, wins } = await superuser.one<Record<string, bigint>>(sql`
    select count(*) as games, count(*) filter (where result = choice) as wins,
      (select count(*) from ledger.movements where kind = 'coinflip-stake') as stakes,
      (select count(*) from ledger.movements where kind = 'coinflip-prize') as prizes
    from coinflip.games`);
  if (games !== BigInt(acknowledged) || stakes !== games || prizes !== wins)
    throw new Error(
      `${acknowledged} acknowledged, but ${games} games, ${stakes} stakes, ${wins} won, ${prizes} prizes are recorded`,
    );
  await assertBooksClean(superuser);
  return `${acknowledged} games acknowledged, as many recorded (${wins} won); the books audit clean`;
}

async function measureFlips(options: BenchOptions): Promise<Outcome> {
  const seconds = options.isFull ? 20 : 8;
  return withSite(async (site) => {
    const anchor = await prepareAnchor(site, seconds);
    const flips = await prepareFlips(site, seconds);
    await flips.send();
    const series = await interleave(
      {
        'minimal credit': anchor,
        'coin flips, 16 connections': async () => (await flips.send()).perSecond,
      },
      { unit: '/s', log: options.log },
    );
    return {
      figures: [
        ratioFigure(
          {
            id: 'B5',
            title: 'Coin flips over HTTP, 16 connections ÷ minimal credit',
            target: { min: 0.3 },
            aim: { min: 0.6 },
          },
          series['coin flips, 16 connections'],
          series['minimal credit'],
        ),
      ],
      series: Object.values(series),
      notes: [await assertPlayed(site, flips.acknowledged())],
    };
  });
}

export const flipsBench: Bench = { name: 'b5', ids: ['B5'], run: measureFlips };
