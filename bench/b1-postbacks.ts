import { prepareAnchor } from './anchor.ts';
import {
  type Bench,
  type BenchOptions,
  interleave,
  type Outcome,
  plainFigure,
  ratioFigure,
} from './figure.ts';
import type { LoadResult } from './load-spec.ts';
import { type Site, withSite } from './site.ts';
import { load } from './start-load.ts';
import { addMembers, assertRecorded, MEMBER_FIRST, MEMBERS, readCpxSecret } from './world.ts';

/**
 * B1 and B2: signed postbacks over HTTP. Each is answered when its raw call, its earning, its movement and the wallet
 * are durable. After the last round the bench looks up every acknowledged postback and audits the books.
 */
const PREFIX = 'bench-';
const WARMUP_SECONDS = 2;
const SHARE_OF_OWN_RATE = 0.3;

type Postbacks = {
  send(connections: number, ratePerSecond: number | null): Promise<LoadResult>;
  acknowledged(): number;
};

async function preparePostbacks(site: Site, seconds: number): Promise<Postbacks> {
  await addMembers(site);
  const secret = await readCpxSecret(site);
  let runs = 0;
  let acknowledged = 0;
  return {
    async send(connections, ratePerSecond) {
      runs += 1;
      const result = await load({
        port: site.port,
        connections,
        warmupSeconds: WARMUP_SECONDS,
        seconds,
        ratePerSecond,
        requests: {
          kind: 'postbacks',
          secret,
          prefix: `${PREFIX}${runs}-`,
          memberFirst: MEMBER_FIRST,
          memberCount: MEMBERS,
        },
      });
      acknowledged += result.acknowledged;
      return result;
    },
    acknowledged: () => acknowledged,
  };
}

const secondsOf = ({ isFull }: BenchOptions): number => (isFull ? 20 : 8);

async function measureRate(options: BenchOptions): Promise<Outcome> {
  const seconds = secondsOf(options);
  return withSite(async (site) => {
    const anchor = await prepareAnchor(site, seconds);
    const postbacks = await preparePostbacks(site, seconds);
    await postbacks.send(64, null);
    const series = await interleave(
      {
        'minimal credit': anchor,
        'postbacks, 64 connections': async () => (await postbacks.send(64, null)).perSecond,
      },
      { unit: '/s', log: options.log },
    );
    const note = await assertRecorded(site, PREFIX, postbacks.acknowledged());
    return {
      figures: [
        ratioFigure(
          {
            id: 'B1',
            title: 'Signed postbacks over HTTP, 64 connections ÷ minimal credit',
            target: { min: 0.7 },
            aim: { min: 1.2 },
          },
          series['postbacks, 64 connections'],
          series['minimal credit'],
        ),
      ],
      series: Object.values(series),
      notes: [note],
    };
  });
}

async function measureFewer(options: BenchOptions): Promise<Outcome> {
  const seconds = secondsOf(options);
  return withSite(async (site) => {
    const anchor = await prepareAnchor(site, seconds);
    const postbacks = await preparePostbacks(site, seconds);
    const own = (await postbacks.send(64, null)).perSecond;
    const p99s: number[] = [];
    const series = await interleave(
      {
        'minimal credit': anchor,
        'postbacks, 16 connections': async () => (await postbacks.send(16, null)).perSecond,
        [`postbacks due at ${SHARE_OF_OWN_RATE * 100}% of the rate at 64 connections`]: async () => {
          const result = await postbacks.send(64, own * SHARE_OF_OWN_RATE);
          p99s.push(result.p99Ms);
          return result.perSecond;
        },
      },
      { unit: '/s', log: options.log },
    );
    const latency = { name: 'p99 at that rate', unit: 'ms', values: p99s };
    const note = await assertRecorded(site, PREFIX, postbacks.acknowledged());
    return {
      figures: [
        ratioFigure(
          {
            id: 'B2',
            title: 'The same, 16 connections ÷ minimal credit',
            target: { min: 0.4 },
            aim: { min: 0.7 },
          },
          series['postbacks, 16 connections'],
          series['minimal credit'],
        ),
        plainFigure(
          { id: 'B2', title: "p99 at 30% of B1's own rate", target: { max: 15 }, aim: { max: 8 } },
          latency,
        ),
      ],
      series: [...Object.values(series), latency],
      notes: [note],
    };
  });
}

export const postbacksBench: Bench = { name: 'b1', ids: ['B1'], run: measureRate };
export const fewerPostbacksBench: Bench = { name: 'b2', ids: ['B2'], run: measureFewer };
