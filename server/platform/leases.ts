/**
 * Leases: what one process at a time may do. A lease is a row with its holder, a token and an expiry by the database's
 * real clock. It is taken by a conditional update, renewed at a third of its time and given back at the end. No lock of
 * a database session is needed, so a lease passes on when the holder's connection hangs, and a pooler may stand in
 * between.
 *
 * The holder may be slow and not know that it lost the lease. So every write that needs the lease checks the token
 * itself, with `platform.holds_lease` in the same transaction. `isHeld` only ends useless work early.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sentence } from '#contract/operator-sentences.ts';
import { type Reader, type Sql, sql, type Tx } from './database.ts';
import type { Health } from './health.ts';
import { type Log, nodeName } from './log.ts';

/**
 * What a write needs to prove that its process holds the lease. The name is in kebab-case, the same in the row, in
 * metrics, and in health behind `lease-`. The token grows with each holder.
 */
export type LeaseToken = { readonly name: string; readonly token: bigint };

export type Lease = LeaseToken & {
  /** False after the lease was lost, or could not be renewed in its time. */
  isHeld(): boolean;
  release(): Promise<void>;
};

export type LeaseOptions = {
  /** What the holder says of itself behind its process, for example where it runs. */
  place?: string;
  /** A holder that is known to have ended. Its lease is taken before it expires. */
  endedHolder?: string;
  /** Called once if another process has taken the lease. */
  onLost?: () => void;
  /** How long it lasts from its last renewal. */
  lastsMs?: number | undefined;
};

export type LeaseParts = { database: Reader; log: Log; health: Health };

const LEASE_MS = 15_000;
/** Renewals in the time that a lease lasts. */
const RENEWALS = 3;
export const RENEWED_EVERY_MS = LEASE_MS / RENEWALS;
/**
 * The one rule for whether somebody holds a lease, which `platform.holds_lease` and `held_leases` have too. A lease
 * that ends further ahead than any lasts holds nothing: a wrong clock wrote it.
 */
const isHeldUntil = (expiresAt: Sql): Sql => sql`platform.is_lease_held(${expiresAt})`;
const TRIED_EVERY_MS = 250;

/** Names this process in its leases: the node, and a number that no other process has. */
export const processName = `${nodeName} ${randomUUID()}`;

/** The process of a holder, and the place that it told. */
export function processOf(holder: string): { host: string; pid: number; place: string } {
  const [host = '', pid = '', , ...place] = holder.split(' ');
  return { host, pid: Number(pid), place: place.join(' ') };
}

/** The name under which health knows a lease that could not be taken or renewed. */
export const partOf = (name: string) => `lease-${name}` as const;

/**
 * Takes a lease and renews it until `release`. Returns undefined while another process holds it. That is no trouble; a
 * failure to ask for the lease is.
 */
export async function takeLease(
  parts: LeaseParts,
  name: string,
  options: LeaseOptions = {},
): Promise<Lease | undefined> {
  const { database, log, health } = parts;
  const { onLost, lastsMs = LEASE_MS } = options;
  let askedAtMs = performance.now();
  const taken = await askFor(parts, name, options);
  if (taken === undefined) return undefined;
  const { token } = taken;
  let isLost = false;
  let isRenewing = false;

  const renew = async () => {
    if (isRenewing) return;
    isRenewing = true;
    const startedAtMs = performance.now();
    try {
      const renewed = await database.row(sql`
        update platform.leases set expires_at = clock_timestamp() + ${lastsMs} * interval '1 millisecond'
        where name = ${name} and token = ${token} and expires_at > '-infinity' returning token`);
      health.report(partOf(name), undefined);
      if (renewed !== undefined) askedAtMs = startedAtMs;
      else if (!isLost) {
        stop();
        log.error({ lease: name }, 'a lease was lost to another process');
        onLost?.();
      }
    } catch (error) {
      // The next renewal tries again. Until one succeeds, the lease may expire.
      const isNews = !isLost && health.report(partOf(name), sentence('lease-not-renewed'));
      if (isNews) log.warn({ error, lease: name }, 'a lease could not be renewed');
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => void renew(), lastsMs / RENEWALS).unref();
  const stop = () => {
    isLost = true;
    clearInterval(timer);
  };
  return {
    name,
    token,
    isHeld: () => !isLost && performance.now() < askedAtMs + lastsMs,
    release: async () => {
      if (isLost) return;
      stop();
      try {
        await database.rows(sql`
          update platform.leases set expires_at = '-infinity' where name = ${name} and token = ${token}`);
      } catch (error) {
        // The work of the lease is done, and the lease expires by itself.
        log.warn({ error, lease: name }, 'a lease could not be given back');
      } finally {
        health.report(partOf(name), undefined);
      }
    },
  };
}

/** Tries to take a lease for this time at most. Returns undefined if another process keeps it. */
export async function takeLeaseWithin<Taken extends Pick<Lease, 'release'>>(
  waitMsMax: number,
  take: () => Promise<Taken | undefined>,
): Promise<Taken | undefined> {
  const deadlineMs = performance.now() + waitMsMax;
  for (;;) {
    const lease = await take();
    if (lease !== undefined || performance.now() > deadlineMs) return lease;
    await sleep(TRIED_EVERY_MS);
  }
}

async function askFor(
  { database, health }: LeaseParts,
  name: string,
  { place, endedHolder = '', lastsMs = LEASE_MS }: LeaseOptions,
): Promise<{ token: bigint } | undefined> {
  const holder = place === undefined ? processName : `${processName} ${place}`;
  try {
    const taken = await database.row<{ token: bigint }>(sql`
      insert into platform.leases as held (name, holder, token, taken_at, expires_at)
      values (${name}, ${holder}, 1, clock_timestamp(), clock_timestamp() + ${lastsMs} * interval '1 millisecond')
      on conflict (name) do update
        set holder = excluded.holder, token = held.token + 1, taken_at = excluded.taken_at,
          expires_at = excluded.expires_at
        where not ${isHeldUntil(sql`held.expires_at`)} or held.holder = ${endedHolder}
      returning token`);
    health.report(partOf(name), undefined);
    return taken;
  } catch (error) {
    health.report(partOf(name), sentence('lease-not-asked'));
    throw error;
  }
}

/** The condition that a write needs: the token still holds the lease. */
export const holdsLease = ({ name, token }: LeaseToken): Sql => sql`platform.holds_lease(${name}, ${token})`;

/** Whether the lease is still held, which then stays so until the end of the transaction. */
export async function checkLease(tx: Tx, lease: LeaseToken): Promise<boolean> {
  const { isHeld } = await tx.one<{ isHeld: boolean }>(sql`select ${holdsLease(lease)} as "isHeld"`);
  return isHeld;
}

/** Reads all leases that were ever taken, and whether somebody holds them now. */
export const readLeases = (database: Reader) =>
  database.rows<{ name: string; isHeld: boolean }>(
    sql`select name, ${isHeldUntil(sql`expires_at`)} as "isHeld" from platform.leases`,
  );

/** Reads the leases that somebody holds now. */
export const readHeldLeases = (database: Reader) =>
  database.rows<{ name: string; holder: string; takenAt: Date; expiresAt: Date }>(sql`
    select name, holder, taken_at as "takenAt", expires_at as "expiresAt"
    from platform.leases where ${isHeldUntil(sql`expires_at`)} order by name`);

/** Leases that end further ahead than any lease lasts: a clock was wrong when they were taken. */
export const findLeasesAhead = (database: Reader) =>
  database.rows<{ name: string; expiresAt: Date }>(sql`
    select name, expires_at as "expiresAt" from platform.leases
    where platform.is_lease_ahead(expires_at) order by name limit 100`);

/** Ends the leases that a wrong clock made long. Returns their number. */
export async function endLeasesAhead(database: Reader): Promise<number> {
  const ended = await database.rows(sql`
    update platform.leases set expires_at = '-infinity'
    where platform.is_lease_ahead(expires_at) returning name`);
  return ended.length;
}

/** Says for the time of a lease that this process is one of those that use a name together. */
export const shareLease = (database: Reader, name: string) =>
  database.rows(sql`
    insert into platform.leases (name, holder, token, taken_at, expires_at)
    values (${name}, ${processName}, 1, clock_timestamp(), clock_timestamp() + ${LEASE_MS} * interval '1 millisecond')
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at`);

/**
 * Ends a lease that has expired or whose holder is known to have ended, so that a holder that was only late can't renew
 * it. Returns the holder if the lease is held.
 */
export async function endUnheldLease(
  database: Reader,
  name: string,
  endedHolder = '',
): Promise<string | undefined> {
  await database.rows(sql`
    update platform.leases set token = token + 1, expires_at = '-infinity'
    where name = ${name} and (not ${isHeldUntil(sql`expires_at`)} or holder = ${endedHolder})`);
  return findHolder(database, name);
}

/** Finds the holder of a lease. */
export async function findHolder(database: Reader, name: string): Promise<string | undefined> {
  const row = await database.row<{ holder: string }>(sql`
    select holder from platform.leases where name = ${name} and ${isHeldUntil(sql`expires_at`)}`);
  return row?.holder;
}
