import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Builds the web where it is not built, as `npm start` does, in a process of its own. Answers where it lies. */
export function builtWeb(): string {
  const { status } = spawnSync(process.execPath, ['web/build.ts', '--if-stale'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  assert.equal(status, 0, 'The web was not built');
  return resolve(root, 'web/dist');
}
