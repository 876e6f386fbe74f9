import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { type Database, sql } from '../database.ts';
import { Refusal, refuse } from '../refusal.ts';
import { InvalidRequest } from './problem.ts';

/**
 * `Idempotency-Key`: the same key and body give the same answer, and the act happens once. The key's row is written
 * before the act and completed after it. A row left open by a crash is taken over after a while; the act then
 * runs again under the same key, which is part of its own row's uniqueness (`call.idempotencyKey`), so it still
 * happens once.
 */
const OPEN_MS_MAX = 30_000;

type Kept = { is_same: boolean; status: number | null; reply: unknown; is_stale: boolean };

const bodyHashOf = (endpoint: Endpoint, body: unknown): Buffer =>
  createHash('sha256')
    .update(`${endpoint.method} ${endpoint.path}\n${JSON.stringify(body)}`)
    .digest();

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
    select body_hash = ${bodyHash} as is_same, status, reply,
      created_at < platform.business_now() - make_interval(secs => ${OPEN_MS_MAX / 1000}) as is_stale
    from platform.idempotency where member_id = ${memberId} and key = ${key}`);
  // It was given back in this moment, because the act did not happen.
  if (kept === undefined) throw refuse('in-progress');
  if (!kept.is_same) throw refuse('idempotency-mismatch');
  if (kept.status !== null) return kept;
  if (!kept.is_stale) throw refuse('in-progress');
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
    where member_id = ${memberId} and key = ${key}`);
}

const FORGOTTEN_AT_ONCE_MAX = 5_000;

/** Drops answers older than a day. What is an act's own key (`call.idempotencyKey`) stays with the act. */
export async function forgetOldAnswers(database: Database): Promise<void> {
  for (;;) {
    const dropped = await database.rows<{ key: string }>(sql`
      delete from platform.idempotency where (member_id, key) in (
        select member_id, key from platform.idempotency
        where created_at < platform.business_now() - interval '1 day'
        order by created_at limit ${FORGOTTEN_AT_ONCE_MAX})
      returning key`);
    if (dropped.length < FORGOTTEN_AT_ONCE_MAX) return;
  }
}

/** A refusal as it is kept. Answers that an older release kept have its code and detail alone. */
type KeptRefusal = Pick<Refusal, 'code'> & { detail: string } & Partial<
    Pick<Refusal, 'extensions' | 'retryAfterS'>
  >;

const keptOf = ({ code, message, extensions, retryAfterS }: Refusal): KeptRefusal => ({
  code,
  detail: message,
  extensions,
  retryAfterS,
});

const refusalOf = ({ code, detail, extensions, retryAfterS }: KeptRefusal): Refusal =>
  new Refusal(code, detail, extensions, retryAfterS ?? undefined);

/** Refusals that say nothing about the act itself: trying again with the same key must be possible. */
const passing = new Set(['rate-limited', 'overloaded', 'in-progress']);

/** The key that a call names, where its endpoint takes one. */
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
  body: unknown;
  reply: Pick<FastifyReply, 'header'>;
};

/**
 * The answer to a call that names a key: what was answered to it before, or what `answer` gives now.
 * @throws Refusal `idempotency-mismatch`, `in-progress`, and what `answer` refuses
 */
export async function answerOnce<Reply>(
  database: Database,
  { endpoint, memberId, key, body, reply }: KeyedCall,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  const kept = await begin(database, memberId, key, endpoint, bodyHashOf(endpoint, body));
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
    if (error instanceof Refusal && error.status < 500 && !passing.has(error.code))
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
