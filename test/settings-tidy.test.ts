import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isTest, readTree, root } from './source-tree.ts';

/** The environment variables that the program reads are those of the table in README.md, and no others. */
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const matchesOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, first = '']) => first);

/** Read for tests alone, and in the sandbox alone. */
const FOR_TESTS = ['FAILPOINT'];

const [, declared = ''] = textOf('server/platform/config.ts').split('const environment = z.object({');
const readElsewhere = readTree(join(root, 'server'))
  .filter(({ path }) => path.endsWith('.ts') && !isTest(path))
  .flatMap(({ text }) => matchesOf(text, /process\.env\.([A-Z_0-9]+)/g));
const variables = new Set(
  [...matchesOf(declared, /^ {2}([A-Z][A-Z0-9_]*):/gm), ...readElsewhere].filter(
    (name) => !FOR_TESTS.includes(name),
  ),
);
const [, live = ''] = textOf('README.md').split('| variable | live mode |');
const table = matchesOf(live.split('\n\n')[0] ?? '', /^\|([^|]+)\|/gm).flatMap((cell) =>
  matchesOf(cell, /`([A-Z][A-Z0-9_]*)`/g),
);

describe('the table of settings', () => {
  it('has each variable that the program reads once, and no other', () => {
    assert.ok(variables.size > 30);
    assert.deepEqual(table.toSorted(), [...variables].toSorted());
  });
  it('has every variable that the documents name', () => {
    for (const path of ['README.md', 'docs/operating.md', 'SECURITY.md'])
      for (const name of matchesOf(textOf(path), /`([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])(?:=[^`]*)?`/g))
        assert.ok(variables.has(name), `${path}: ${name}`);
  });
});
