import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts';
import { type Database, sql, type Tx } from '../database.ts';
import { Refusal, refuse } from '../refusal.ts';
import { InvalidRequest } from './problem.ts';

/**
 * `Idempotency-Key`: a repeated call with the same key, address and body gets the same answer and has no second effect.
 * The key's row is inserted before the call runs and completed after it. If a crash leaves the row open, a later call
 * takes it over after 30 seconds and runs again. It still has one effect, because features store the key
 * (`call.idempotencyKey`) in a unique column of their own rows, or keep the answer in the transaction of the effect.
 */
const OPEN_MS_MAX = 30_000;

type Kept = { isSame: boolean; status: number | null; reply: unknown; isStale: boolean };

type Asked = { params: object; query: object; body: unknown };

/** The query counts too: `dryRun=true` is another call. */
function hashOf(endpoint: Endpoint, { params, query, body }: Asked): Buffer {
  const hash = createHash('sha256').update(`${endpoint.method} ${endpoint.path}\n${JSON.stringify(body)}`);
  const more = { ...params, ...query };
  // A call without either has the hash of former releases, which nodes of both share during an upgrade.
  if (Object.keys(more).length > 0) hash.update(`\n${JSON.stringify(more)}`);
  return hash.digest();
}

async function begin(
  database: Database,
  memberId: number,
  key: string,
  endpoint: Endpoint,
  bodyHash: Buffer,
) {
  const inserted = await database.row<{ key: string }>(sql`
    insert into platform.idempotency (member_id, key, endpoint, body_hash)
    values (${memberId}, ${key}, ${endpoint.path}, ${bodyHash})
    on conflict do nothing
    returning key`);
  if (inserted !== undefined) return undefined;
  const kept = await database.row<Kept>(sql`
    select body_hash = ${bodyHash} as "isSame", status, reply,
      created_at < platform.business_now() - make_interval(secs => ${OPEN_MS_MAX / 1000}) as "isStale"
    from platform.idempotency where member_id = ${memberId} and key = ${key}`);
  // The row was deleted since the insert, because the first call failed.
  if (kept === undefined) throw refuse('in-progress');
  if (!kept.isSame) throw refuse('idempotency-mismatch');
  if (kept.status !== null) return kept;
  if (!kept.isStale) throw refuse('in-progress');
  const taken = await database.row<{ key: string }>(sql`
    update platform.idempotency set created_at = platform.business_now()
    where member_id = ${memberId} and key = ${key} and status is null
      and created_at < platform.business_now() - make_interval(secs => ${OPEN_MS_MAX / 1000})
    returning key`);
  if (taken === undefined) throw refuse('in-progress');
  return undefined;
}

async function keep(
  database: Database,
  memberId: number,
  key: string,
  status: number,
  reply: unknown,
): Promise<void> {
  await database.rows(sql`
    update platform.idempotency set status = ${status}, reply = ${JSON.stringify(reply)}::jsonb
    where member_id = ${memberId} and key = ${key} and status is null`);
}

/**
 * Keeps the answer of a call in the transaction of its effect, for an effect whose rows have no column for the key.
 * @throws Refusal `in-progress` if another call with the key had the effect, whose answer the next call gets
 */
export async function keepWithEffect<E extends Endpoint>(
  tx: Tx,
  endpoint: E,
  { memberId, key }: { memberId: number; key: string | null },
  reply: ReplyOf<E>,
): Promise<void> {
  if (key === null) return;
  const kept = await tx.row<{ key: string }>(sql`
    update platform.idempotency set status = ${endpoint.status}, reply = ${JSON.stringify(reply)}::jsonb
    where member_id = ${memberId} and key = ${key} and status is null
    returning key`);
  if (kept === undefined) throw refuse('in-progress');
}

const DELETED_AT_ONCE_MAX = 5_000;

/** Deletes answers older than a day. Features keep the keys in their own rows. */
export async function deleteOldAnswers(database: Database): Promise<void> {
  for (;;) {
    const dropped = await database.rows<{ key: string }>(sql`
      delete from platform.idempotency where (member_id, key) in (
        select member_id, key from platform.idempotency
        where created_at < platform.business_now() - interval '1 day'
        order by created_at limit ${DELETED_AT_ONCE_MAX})
      returning key`);
    if (dropped.length < DELETED_AT_ONCE_MAX) return;
  }
}

/** A refusal as it is stored. */
type KeptRefusal = Pick<Refusal, 'code' | 'extensions' | 'retryAfterS'> & { detail: string };

const keptOf = ({ code, message, extensions, retryAfterS }: Refusal): KeptRefusal => ({
  code,
  detail: message,
  extensions,
  retryAfterS,
});

const refusalOf = ({ code, detail, extensions, retryAfterS }: KeptRefusal): Refusal =>
  new Refusal(code, detail, extensions, retryAfterS ?? undefined);

/** Temporary refusals. They are not stored, so that the same key can be tried again. */
const temporaryCodes = new Set(['rate-limited', 'overloaded', 'in-progress']);

/** A wrong shape is refused before anything is written, so its refusal is not stored either. */
const isStored = (error: unknown): error is Refusal =>
  error instanceof Refusal &&
  !(error instanceof InvalidRequest) &&
  error.status < 500 &&
  !temporaryCodes.has(error.code);

/** Reads the call's key; null if the endpoint takes none or none was sent. @throws InvalidRequest for a bad key */
export function readIdempotencyKey(endpoint: Endpoint, { headers }: FastifyRequest): string | null {
  if (endpoint.idempotent !== true) return null;
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new InvalidRequest([
      { path: 'Idempotency-Key', message: 'Must be 1 to 255 visible ASCII characters' },
    ]);
  return key;
}

export type KeyedCall = {
  endpoint: Endpoint;
  memberId: number;
  key: string;
  asked: Asked;
  reply: Pick<FastifyReply, 'header'>;
};

/**
 * Answers a call with a key: returns the stored answer, or runs `answer` and stores its result or refusal.
 * @throws Refusal `idempotency-mismatch`, `in-progress`, and the refusals of `answer`
 */
export async function answerOnce<Reply>(
  database: Database,
  { endpoint, memberId, key, asked, reply }: KeyedCall,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  const kept = await begin(database, memberId, key, endpoint, hashOf(endpoint, asked));
  if (kept !== undefined) {
    reply.header('idempotent-replayed', 'true');
    const { refusal } = kept.reply as { refusal?: KeptRefusal };
    if (refusal !== undefined) throw refusalOf(refusal);
    return kept.reply as Reply;
  }
  try {
    const answered = await answer();
    await keep(database, memberId, key, endpoint.status, answered);
    return answered;
  } catch (error) {
    if (isStored(error))
      await keep(database, memberId, key, error.status, {
        refusal: keptOf(error),
      });
    else
      await database.rows(
        sql`delete from platform.idempotency where member_id = ${memberId} and key = ${key} and status is null`,
      );
    throw error;
  }
}
