/**
 * The chain of the audit trail. Each row gets a number and a hash of its content and of the hash before it, so a row
 * that was changed, removed or added later does not fit. A sweep chains rows that are committed; an operator's act
 * waits for no other, and no member's call for an operator.
 *
 * The end of the chain stands in a row of its own and moves by a conditional update, so several nodes may chain at
 * once. Each node logs every end that it wrote, and remembers the newest one: what was written again from an earlier
 * row on fits in itself, and differs only from what is known outside the database.
 */
import { createHash } from 'node:crypto';
import { sentence } from '#contract/operator-sentences.ts';
import { recordActs } from './audit-trail.ts';
import { type Database, type Reader, sql } from './database.ts';
import type { Health } from './health.ts';
import type { Log } from './log.ts';

/** The content of a row as text, exactly as it is hashed. */
type Content = {
  id: bigint;
  at: string;
  operatorId: number | null;
  act: string;
  target: string;
  reason: string | null;
  before: string | null;
  after: string | null;
  /** Null, like the two that follow, of a row from before the trail had them. */
  actor: string | null;
  targetKind: string | null;
  memberId: number | null;
};
type Chained = Content & { number: bigint; hash: string };

/** A place in the chain. */
export type ChainPlace = { number: bigint; hash: string };

export type ChainFault = {
  /** The number of the row in the chain, or `end`. */
  subject: string;
  expected: string;
  actual: string;
};

const ROWS_MAX = 500;
const CHECKED_ROWS_MAX = 2_000;
/** What stands before the first row. */
const FIRST_HASH = '0'.repeat(64);
const BEFORE_ALL = -(2n ** 63n);
/** No transaction of an act lasts so long. A row that is older than the one before it by more was added later. */
const LATE_MS_MAX = 10 * 60_000;

const content = sql`id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
  operator_id as "operatorId", act, target, reason, before::text as before, after::text as after, actor,
  target_kind as "targetKind", member_id as "memberId"`;

/** The form of the hashes that this program calculates, for `platform.chain_acts`. */
const FORM = 2;

/**
 * The hash of a row behind the row with the hash `previous`; 64 hexadecimal digits. A row that has none of the later
 * columns keeps its hash from before them. To empty them, or to fill them later, is a change that shows.
 */
function hashOf(previous: string, number: bigint, row: Content): string {
  const { id, at, operatorId, act, target, reason, before, after, ...later } = row;
  const fields = [previous, String(number), String(id), at, operatorId, act, target, reason, before, after];
  const { actor, targetKind, memberId } = later;
  if (actor !== null || targetKind !== null || memberId !== null) fields.push(actor, targetKind, memberId);
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

const readChainEnd = (reader: Reader): Promise<ChainPlace> =>
  reader.one<ChainPlace>(sql`select number, hash from platform.acts_chain_end`);

/** Reads the hash at a place; undefined if no row is there. */
export async function findChainHash(reader: Reader, number: bigint): Promise<string | undefined> {
  const row = await reader.row<{ hash: string }>(sql`
    select chain_hash as hash from platform.acts where chain_number = ${number}`);
  return row?.hash;
}

/** Chains the rows that wait. Returns how many; fewer if another node chains at the same time. */
export async function chainActs({ database, log }: { database: Database; log: Log }): Promise<number> {
  for (let count = 0; ; ) {
    const end = await readChainEnd(database);
    const rows = await database.rows<Content>(sql`
      select ${content} from platform.acts where chain_number is null order by acts.at, id limit ${ROWS_MAX}`);
    if (rows.length === 0) return count;
    const hashes: string[] = [];
    for (const [index, row] of rows.entries())
      hashes.push(hashOf(hashes.at(-1) ?? end.hash, end.number + BigInt(index + 1), row));
    const { isChained } = await database.one<{ isChained: boolean }>(sql`
      select platform.chain_acts(${end.number}, ${end.hash}, ${rows.map(({ id }) => String(id))}, ${hashes},
        ${FORM}) as "isChained"`);
    if (!isChained) return count;
    count += rows.length;
    const number = end.number + BigInt(rows.length);
    log.info({ number: String(number), hash: hashes.at(-1) }, 'the audit trail was chained');
    if (rows.length < ROWS_MAX) return count;
  }
}

/**
 * A node's turn: chains what waits, and compares the newest place that this node has seen with the row that is there
 * now. A difference stays reported until the node starts again.
 */
export function createChainTurn(parts: {
  database: Database;
  log: Log;
  health: Health;
}): () => Promise<void> {
  let seen: ChainPlace = { number: 0n, hash: '' };
  return async () => {
    const { database, health } = parts;
    await chainActs(parts);
    if (seen.number > 0n && (await findChainHash(database, seen.number)) !== seen.hash) {
      health.report('audit-trail', sentence('trail-differs', { number: seen.number }));
      return;
    }
    health.report('audit-trail', undefined);
    seen = await readChainEnd(database);
  };
}

/** Compares the whole chain with its rows, in pieces. Breaks that an operator has accepted are left out. */
export async function* findChainFaults(reader: Reader): AsyncGenerator<ChainFault[]> {
  const accepted = await readAccepted(reader);
  const isNew = (fault: ChainFault) => !accepted.has(textOf(fault));
  let last: Chained | undefined;
  for (;;) {
    const rows = await reader.rows<Chained>(sql`
      select ${content}, chain_number as number, chain_hash as hash from platform.acts
      where chain_number > ${last?.number ?? BEFORE_ALL} order by chain_number
      limit ${CHECKED_ROWS_MAX}`);
    const faults: ChainFault[] = [];
    for (const row of rows) {
      faults.push(...faultsAt(last, row));
      last = row;
    }
    yield faults.filter(isNew);
    if (rows.length < CHECKED_ROWS_MAX) break;
  }
  yield (await findEndFaults(reader)).filter(isNew);
}

/**
 * Records that an operator has looked into the breaks at a place, so that the audit leaves out exactly these. Returns
 * how many there are.
 * @param subject the number of a row, or `end`
 */
export async function acceptBreaks(database: Database, subject: string, reason: string): Promise<number> {
  const faults = (await Array.fromAsync(findChainFaults(database))).flat();
  const accepted = faults.filter((fault) => fault.subject === subject);
  await database.transaction((tx) =>
    recordActs(
      tx,
      accepted.map(({ expected, actual }) => ({
        actor: 'command-line',
        act: 'audit-trail.accept',
        target: { kind: 'audit-trail', id: subject },
        reason,
        after: { expected, actual },
      })),
    ),
  );
  return accepted.length;
}

/** What does not fit between a row and the one before it. */
function faultsAt(last: Chained | undefined, row: Chained): ChainFault[] {
  const { number, hash } = row;
  const subject = String(number);
  const due = (last?.number ?? 0n) + 1n;
  if (number < due) return [{ subject, expected: 'no row', actual: `row ${number}` }];
  if (number !== due) {
    const missing = number === due + 1n ? `row ${due}` : `rows ${due} to ${number - 1n}`;
    return [{ subject: String(due), expected: missing, actual: 'none' }];
  }
  const expected = hashOf(last?.hash ?? FIRST_HASH, number, row);
  if (hash !== expected) return [{ subject, expected: `hash ${expected}`, actual: `hash ${hash}` }];
  if (last !== undefined && Date.parse(row.at) < Date.parse(last.at) - LATE_MS_MAX)
    return [{ subject, expected: `not before ${last.at}`, actual: row.at }];
  return [];
}

/** The stored end against the last row, in one statement, because a sweep may move both. */
async function findEndFaults(reader: Reader): Promise<ChainFault[]> {
  const ends = await reader.rows<{ end: string; last: string }>(sql`
    select e.number || ' ' || e.hash as end,
      coalesce((select chain_number || ' ' || chain_hash from platform.acts where chain_number is not null
        order by chain_number desc limit 1), '0 ' || repeat('0', 64)) as last
    from platform.acts_chain_end e`);
  if (ends.length === 0) return [{ subject: 'end', expected: 'an end', actual: 'none' }];
  return ends
    .filter(({ end, last }) => end !== last)
    .map(({ end, last }) => ({ subject: 'end', expected: `row ${end}`, actual: `row ${last}` }));
}

const textOf = ({ subject, expected, actual }: ChainFault): string =>
  JSON.stringify([subject, expected, actual]);

/** The breaks that operators have looked into, which are acts themselves. */
async function readAccepted(reader: Reader): Promise<Set<string>> {
  const rows = await reader.rows<ChainFault>(sql`
    select target as subject, after ->> 'expected' as expected, after ->> 'actual' as actual
    from platform.acts where act = 'audit-trail.accept'`);
  return new Set(rows.map(textOf));
}
