import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parts, sweeps } from '../server/platform/health-names.ts';
import { listedMetrics } from '../server/platform/metric-names.ts';
import { documentsMade, sectionOfName } from './documents.ts';
import { isTest, planted, readTree, root } from './source-tree.ts';
import { coverageOf } from './spec-coverage.ts';

describe('the documents', () => {
  for (const { path, text } of documentsMade())
    it(`are those that \`npm run documents\` writes: ${path}`, () =>
      assert.equal(readFileSync(join(root, path), 'utf8'), text));
});

describe('what the code declares for the documents', () => {
  const lists = ['server/platform/health-names.ts', 'server/platform/metric-names.ts'];
  const code = readTree(join(root, 'server'))
    .filter(({ path }) => path.endsWith('.ts') && !isTest(path) && !lists.includes(path))
    .map(({ text }) => text)
    .join('\n');
  const listed = listedMetrics.map(({ name }) => name);

  it('has every metric of the program, and no other', () => {
    const made = [...code.matchAll(/(?:metricOf\(|name: )'(earnest_\w+)'/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(made)].sort(), listed.toSorted());
  });
  it('has no health name that nothing reports', () => {
    for (const name of [...Object.keys(parts), ...Object.keys(sweeps)])
      assert.ok(code.includes(`'${name}'`), name);
  });
  it('leads from every health name to sections of the guide', () => {
    const guide = readFileSync(join(root, 'docs/operating.md'), 'utf8');
    for (const section of [...sectionOfName.values()].flatMap((sections) => sections.split('; ')))
      assert.ok(guide.includes(`\n## ${section}\n`), section);
  });
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
