import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { addMovements } from './bulk-rows.ts';
import { type Bench, type BenchOptions, type Outcome, plainFigure, ratioFigure } from './figure.ts';
import type { Requests } from './load-spec.ts';
import { newDataDir, type Site, startProgram, stopProgram, withSite } from './site.ts';
import { load } from './start-load.ts';
import { addMembers, assertBooksClean, MEMBER_FIRST, MEMBERS, openSessions, readCpxSecret } from './world.ts';

/**
 * B16: resident memory of the server process, without PostgreSQL, at rest after its start, and at rest after mixed
 * load: postbacks and the reads of members' screens, at a rate well below capacity.
 */
const REST_SECONDS = 20;
const RATE_PER_SECOND = 1_000;
const WARMUP_MINUTES = 1;
const MINUTES = 3;
const MINUTES_FULL = 60;

/** The resident memory that the kernel reports, in MB. */
function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

async function residentAtRest({ pid }: Site): Promise<number> {
  await sleep(REST_SECONDS * 1000);
  return residentMb(pid);
}

async function mixedLoad(site: Site, minutes: number, prefix: string): Promise<void> {
  const cookies = await openSessions(site, 64);
  const get = (path: string): Requests => ({ kind: 'get', path, cookies });
  const postbacks: Requests = {
    kind: 'postbacks',
    secret: await readCpxSecret(site),
    prefix,
    memberFirst: MEMBER_FIRST,
    memberCount: MEMBERS,
  };
  const parts = [postbacks, get('/api/user'), get('/api/user/stats'), get('/api/user/history')];
  await load({
    port: site.port,
    connections: 64,
    warmupSeconds: 0,
    seconds: minutes * 60,
    ratePerSecond: RATE_PER_SECOND,
    requests: { kind: 'mixed', parts },
  });
}

async function run(options: BenchOptions): Promise<Outcome> {
  const minutes = options.isFull ? MINUTES_FULL : MINUTES;
  // Only the first start makes the sandbox's demo world.
  const dataDir = newDataDir();
  await stopProgram(await startProgram(dataDir));
  return withSite(async (site) => {
    const idle = await residentAtRest(site);
    await addMembers(site);
    await addMovements(site, { members: MEMBERS, count: MEMBERS * 10 });
    await mixedLoad(site, WARMUP_MINUTES, 'memory-warm-');
    const warm = await residentAtRest(site);
    options.log(`  idle ${idle.toFixed(0)} MB, after ${WARMUP_MINUTES} min ${warm.toFixed(0)} MB`);
    await mixedLoad(site, minutes, 'memory-');
    const after = await residentAtRest(site);
    await assertBooksClean(site.superuser);
    const one = (name: string, value: number) => ({ name, unit: 'MB', values: [value] });
    const load = `${minutes} min of mixed load, ${RATE_PER_SECOND.toLocaleString('en')}/s`;
    return {
      figures: [
        plainFigure(
          { id: 'B16', title: 'Resident memory, idle', target: { max: 150 }, aim: { max: 110 } },
          one('idle', idle),
        ),
        ratioFigure(
          { id: 'B16', title: `At rest after ${load} ÷ idle`, target: { max: 1.15 }, aim: { max: 1.05 } },
          one('after', after),
          one('idle', idle),
        ),
        ratioFigure(
          { id: 'B16', title: `The same ÷ at rest after ${WARMUP_MINUTES} min of it` },
          one('after', after),
          one('warm', warm),
        ),
      ],
      series: [one('idle', idle), one('warm', warm), one('after', after)],
      notes: ['The books audit clean'],
    };
  }, dataDir);
}

export const memoryBench: Bench = { name: 'b16', ids: ['B16'], run };
