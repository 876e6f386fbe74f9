import { createHash } from 'node:crypto';

/** The 64-bit number of the advisory lock of this name. Concurrent starts use such locks for seconds. */
export function lockNumber(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE(0);
}
