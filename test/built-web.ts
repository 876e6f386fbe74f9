import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

const BUILD = ['web/build/build.ts', '--if-stale'];

/** Builds the web if it is outdated, in a separate process like `npm start`. Returns its folder. */
export function builtWeb(): string {
  const { status } = spawnSync(process.execPath, BUILD, { cwd: root, stdio: ['ignore', 2, 2] });
  assert.equal(status, 0, 'The web was not built');
  return resolve(root, 'web/dist');
}

/** Does the same while the caller goes on. */
export async function buildWeb(): Promise<void> {
  const build = spawn(process.execPath, BUILD, { cwd: root, stdio: ['ignore', 2, 2] });
  const [status] = await once(build, 'exit');
  assert.equal(status, 0, 'The web was not built');
}
