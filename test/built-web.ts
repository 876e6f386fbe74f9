import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Builds the web if it is outdated, in a separate process like `npm start`. Returns its folder. */
export function builtWeb(): string {
  const { status } = spawnSync(process.execPath, ['web/build/build.ts', '--if-stale'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  assert.equal(status, 0, 'The web was not built');
  return resolve(root, 'web/dist');
}
