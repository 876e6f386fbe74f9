import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { root } from './source-tree.ts';

/**
 * A temporary copy of the project that a test can change and test. Packages and the test cluster are links to the
 * original's.
 */
export type CopiedTree = {
  /** Adds a folder of files. Their relative imports of the server resolve from the new place. */
  addFolder(from: string, to: string): void;
  /** Adds a line before the first one that contains this text. */
  addLine(path: string, before: string, line: string): void;
  /** Runs test files in the copy: all tests, or those whose title matches `pattern`. */
  test(files: readonly string[], pattern?: string): Promise<TestCounts>;
  /** Runs test files that only read the copy's text, in one process, which parses it once. */
  testText(files: readonly string[]): Promise<TestCounts>;
};
export type TestCounts = { passed: number; failed: number; output: string };

const linked = ['node_modules', '.cache'];
const leftOut = new Set([...linked, '.git', 'dist', 'data', 'test-results']);

export function copyTree(lifetime: { after: (callback: () => void) => void }): CopiedTree {
  const copy = mkdtempSync(join(tmpdir(), 'earnest-copy-'));
  lifetime.after(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(root, copy, { recursive: true, filter: (path) => !leftOut.has(basename(path)) });
  for (const name of linked) symlinkSync(join(root, name), join(copy, name));

  const change = (path: string, edit: (text: string) => string) =>
    writeFileSync(join(copy, path), edit(readFileSync(join(copy, path), 'utf8')));
  return {
    addFolder(from, to) {
      cpSync(join(root, from), join(copy, to), { recursive: true });
      for (const name of readdirSync(join(copy, to)))
        change(join(to, name), (text) =>
          text.replaceAll(/'(?:\.\.\/)+(server\/[^']+)'/g, (_all, path: string) => `'${relative(to, path)}'`),
        );
    },
    addLine(path, before, line) {
      change(path, (text) => {
        const lines = text.split('\n');
        const at = lines.findIndex((other) => other.includes(before));
        assert.ok(at >= 0, `${path} has no line with ${before}`);
        return lines.toSpliced(at, 0, line).join('\n');
      });
    },
    test: (files, pattern) =>
      runTests(copy, files, pattern === undefined ? [] : [`--test-name-pattern=${pattern}`]),
    testText: (files) => runTests(copy, files, ['--test-isolation=none']),
  };
}

async function runTests(
  cwd: string,
  files: readonly string[],
  options: readonly string[],
): Promise<TestCounts> {
  const { NODE_TEST_CONTEXT: _outer, ...env } = process.env;
  const child = spawn(
    process.execPath,
    ['--test', '--test-reporter=tap', '--test-concurrency=3', ...options, ...files],
    { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output += piece;
    });
  await new Promise((done, fail) => child.on('close', done).on('error', fail));
  const count = (what: string) =>
    Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? Number.NaN);
  return { passed: count('pass'), failed: count('fail') + count('cancelled'), output };
}
