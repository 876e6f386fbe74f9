import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';

/** Runs the compiler and the linter as tests, because Node strips types without checking them. */
const root = resolve(import.meta.dirname, '..');

function assertClean(command: string, args: string[]): Promise<void> {
  const options = { cwd: root, timeout: 300_000, maxBuffer: 2 ** 24 };
  return new Promise((done, fail) => {
    execFile(resolve(root, 'node_modules/.bin', command), args, options, (error, stdout, stderr) => {
      if (error === null) done();
      else fail(new assert.AssertionError({ message: `${error.message}\n${stdout}\n${stderr}` }));
    });
  });
}

/**
 * By default the compiler divides a project among four checkers, which check the same declarations again. What it found
 * is kept for the next run, which looks at changed files and those that they reach.
 */
const compile = (project: string) => {
  const kept = resolve(root, '.cache/types', `${project.replaceAll('/', '-')}.tsbuildinfo`);
  return assertClean('tsc', ['-p', project, '--checkers', '1', '--incremental', '--tsBuildInfoFile', kept]);
};

describe('the source', { concurrency: 2 }, () => {
  it('compiles the web', () => compile('web/tsconfig.json'));
  it('compiles the server, the contract and the tests', () => compile('tsconfig.json'));
  it('compiles the browser tests', () => compile('test/tsconfig.json'));
  it('passes the linter and is formatted', () =>
    assertClean('biome', ['ci', '--error-on-warnings', '--max-diagnostics=30', '.']));
});
