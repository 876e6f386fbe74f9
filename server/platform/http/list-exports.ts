import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Platform } from '../platform.ts';
import { Refusal } from '../refusal.ts';
import type { Limit } from './limits.ts';

/**
 * Limits `?format=csv` of whole lists, because each reads all rows of a list: 30 an hour per caller, and two at the
 * same time. Running exports are counted in each process.
 */
export const listExports: Limit = { name: 'list-exports', max: 30, perS: 3_600, scaledIn: 'sandbox' };

const RUNNING_MAX = 2;
const RETRY_AFTER_S = 5;

/** The running exports of each caller, by the site's limits. */
const runningBySite = new WeakMap<object, Map<string, number>>();

/** Counts an export that begins. It counts as running until its reply has ended. @throws Refusal `rate-limited` */
export async function countExport(
  { limits }: Pick<Platform, 'limits'>,
  caller: string,
  reply: FastifyReply,
): Promise<void> {
  const running = runningBySite.get(limits) ?? new Map<string, number>();
  runningBySite.set(limits, running);
  const before = running.get(caller) ?? 0;
  if (before >= RUNNING_MAX)
    throw new Refusal('rate-limited', 'Too many exports are running.', {}, RETRY_AFTER_S);
  running.set(caller, before + 1);
  finished(reply.raw, () => {
    const left = (running.get(caller) ?? 1) - 1;
    if (left === 0) running.delete(caller);
    else running.set(caller, left);
  });
  await limits.count(listExports, caller);
}
