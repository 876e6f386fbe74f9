import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { LoadResult, LoadSpec } from './load-spec.ts';

/**
 * Runs the load generator in a separate process.
 * @throws if an answer was not correct, because a rate of refusals is not a figure
 */
export async function load(spec: LoadSpec): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(spec));
  const [result] = await Promise.all([json(child.stdout) as Promise<LoadResult>, once(child, 'exit')]);
  if (Object.keys(result.refused).length > 0)
    throw new Error(`Not every request was answered well: ${JSON.stringify(result.refused)}`);
  return result;
}
