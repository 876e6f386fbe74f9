import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { documentsMade } from './documents.ts';
import { planted, root } from './source-tree.ts';
import { coverageOf } from './spec-coverage.ts';

describe('the documents', () => {
  for (const { path, text } of documentsMade())
    it(`are those that \`npm run documents\` writes: ${path}`, () =>
      assert.equal(readFileSync(join(root, path), 'utf8'), text));
});

describe('the coverage of the specification', () => {
  // A sign of its own, so that the titles here are no clauses of the project.
  const coverage = (text: string) => coverageOf(planted('server/a.test.ts', text.replaceAll('%', '§')));

  it('has what a title shows, and names what no title shows', () => {
    const made = coverage(`
      it('%1-4 coin flip: spins for two seconds', () => {});
      it(\`%1-4 logout: ends \${session}\`, () => {});
    `);
    assert.match(made, /\n\| coin flip \| spins for two seconds \| `server\/a\.test\.ts` \|\n/);
    assert.match(made, /\n\| logout \| ends … \| `server\/a\.test\.ts` \|\n/);
    assert.match(made, /\nNot built or not shown: authentication, registration, /);
  });
  it('refuses a clause that no document has, and one that begins no title', () => {
    assert.throws(() => coverage("it('%1-4 dice: rolls')"), /there is no clause .1-4 dice/);
    assert.throws(() => coverage("it('spins, %1-4 coin flip: rolls')"), /at the start of a title/);
    assert.throws(() => coverage("it('%1-4 coin flip rolls')"), /at the start of a title/);
  });
});
