import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { variables } from '../server/platform/config.ts';
import { isTest, readTree, root } from './source-tree.ts';

/** The environment variables that the program reads are those that `config.ts` declares, and no others. */
const matchesOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, first = '']) => first);

/** Read for tests alone, and in the sandbox alone. */
const FOR_TESTS = ['FAILPOINT'];
const declared = variables.map(({ name }) => name);

/** What Node.js reads itself. */
const OF_NODE = 'NODE_EXTRA_CA_CERTS';

describe('the variables of the environment', () => {
  it('are declared, each with what it is for', () => {
    assert.ok(variables.length > 30);
    for (const { name, description } of variables) assert.notEqual(description, '', name);
  });
  it('are read nowhere without being declared', () => {
    const sources = readTree(join(root, 'server')).filter(
      ({ path }) => path.endsWith('.ts') && !isTest(path),
    );
    for (const { path, text } of sources)
      for (const name of matchesOf(text, /process\.env\.([A-Z_0-9]+)/g))
        assert.ok([...declared, ...FOR_TESTS].includes(name), `${path}: ${name}`);
  });
  it('are declared where the documents name them', () => {
    for (const path of ['README.md', 'docs/operating.md', 'SECURITY.md'])
      for (const name of matchesOf(
        readFileSync(join(root, path), 'utf8'),
        /`([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])(?:=[^`]*)?`/g,
      ))
        assert.ok([...declared, OF_NODE].includes(name), `${path}: ${name}`);
  });
});
