import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { it } from 'node:test';

/** Runs the compiler and the linter as tests, because Node strips types without checking them. */
const root = resolve(import.meta.dirname, '..');

function assertClean(command: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(resolve(root, 'node_modules/.bin', command), args, {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
}

it('compiles the server, the contract and the tests', () => assertClean('tsc', ['-p', 'tsconfig.json']));
it('compiles the browser tests', () => assertClean('tsc', ['-p', 'test/tsconfig.json']));
it('compiles the web', () => assertClean('tsc', ['-p', 'web/tsconfig.json']));
it('passes the linter and is formatted', () =>
  assertClean('biome', ['ci', '--error-on-warnings', '--max-diagnostics=30', '.']));
