import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { partOf } from '../server/platform/leases.ts';
import { ONLY_NODE, REDIS_NODES } from '../server/platform/only-node.ts';
import { turnNameOf } from '../server/withdrawals/payout-queries.ts';
import { removals } from '../server/work.ts';
import { isTest, readTree, root } from './source-tree.ts';
import { wordAt, wordsOf } from './words.ts';

/** The names of metrics and of parts that `docs/operating.md` quotes are those of the program. */
const guide = readFileSync(join(root, 'docs/operating.md'), 'utf8');
const files = readTree(join(root, 'server')).filter(({ path }) => path.endsWith('.ts') && !isTest(path));
const code = files.map(({ text }) => text).join('\n');
const matchesOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, first = '']) => first);

/** Each metric of the program with its labels. */
const metrics = new Map(
  [
    ...code.matchAll(/name: '(earnest_\w+)',\s+help: (?:'[^']*'|"[^"]*"),(?:\s+labelNames: \[([^\]]*)\])?/g),
  ].map(([, name = '', labels = '']) => [name, matchesOf(labels, /'(\w+)'/g).join()]),
);
const leaseNames = [ONLY_NODE, REDIS_NODES, turnNameOf('METHOD'), 'NAME'];
const sweepNames = [
  ...matchesOf(code, /name: '([a-z-]+)',\s+everyMs/g),
  ...matchesOf(code, /every\(\w+, '([a-z-]+)'/g),
  ...Object.keys(removals),
  'NAME',
];
/**
 * The name that a call of `health.report` gives its part, with `*` for what differs: it is written in the call, or is a
 * constant of the file or a function of the program.
 */
function partNameOf(expression: string, text: string): string | undefined {
  const [, called] = /^(\w+)\(/.exec(expression) ?? [];
  const named = /^\w+$/.exec(expression)?.[0];
  if (called !== undefined)
    return nameIn(code, new RegExp(`const ${called} = \\(.*?\\): string =>\\s+(['\`].*?['\`]);`));
  if (named !== undefined) return nameIn(text, new RegExp(`const ${named} = (['\`].*?['\`]);`));
  return nameIn(expression, /^(['`].*['`])$/);
}
const nameIn = (text: string, pattern: RegExp): string | undefined =>
  pattern
    .exec(text)?.[1]
    ?.slice(1, -1)
    .replace(/\$\{.*?\}/g, '*');
const reports = files.flatMap(({ path, text }) =>
  matchesOf(text, /\bhealth\.report\(\s*([\w]+\([^)]*\)|[^,()]+),/g).map((expression) => ({
    at: `${path}: ${expression}`,
    name: partNameOf(expression.trim(), text),
  })),
);
const parts = new Set(reports.map(({ name }) => name));
/** Whether the program has this name of a part, where the word in capitals stands for any. */
const isPart = (name: string): boolean => parts.has(name.replace(/[A-Z]+$/, '*'));

describe('the guide for operators', () => {
  it('lists exactly the metrics of the program, with their labels', () => {
    const [, table = ''] = guide.split('## Metrics and alerts');
    const quoted = [...(table.split('\n## ')[0] ?? '').matchAll(/^\|(.*?)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(earnest_\w+)(?:\{([\w,]+)\})?`/g)].map(([, name = '', labels = '']) => [
        name,
        labels,
      ]),
    );
    const named = (name: string | undefined) =>
      quoted.filter(([one]) => one === name).map(([, labels]) => labels);
    assert.equal(metrics.size, matchesOf(code, /name: '(earnest_\w+)',/g).length);
    for (const [name, labels] of metrics) assert.deepEqual(named(name), [labels], name);
    for (const [name = ''] of quoted) assert.ok(metrics.has(name), name);
  });
  it('names leases as the program does, in health and in the metric', () => {
    const quoted = matchesOf(guide, /`(lease-[\w-]+)`/g);
    assert.ok(quoted.length > 2);
    for (const name of quoted) assert.ok(leaseNames.map(partOf).includes(name), name);
    assert.match(guide, new RegExp(`\\| \`earnest_lease_held\\{name\\}\` \\|.*\\| \`${ONLY_NODE}\` 0 `));
  });
  it('names sweeps as the program does', () => {
    const quoted = matchesOf(guide, /`sweep-([\w-]+)`/g);
    assert.ok(quoted.length > 5);
    for (const name of quoted) assert.ok(sweepNames.includes(name), name);
  });
  it('names the other parts of health as the program does', () => {
    const quoted = [
      ...matchesOf(guide, /health\s+names?\s+(?:is\s+)?`([\w-]+)`/g),
      ...matchesOf(guide, /earnest_degraded\{name="([\w-]+)"\}/g),
    ].filter((name) => !/^(lease|sweep)-/.test(name));
    assert.ok(quoted.length > 5);
    for (const name of quoted) assert.ok(isPart(name), name);
  });
  it('leads from every name of health to a section, in the table at its top', () => {
    const [top = ''] = guide.split('\n## ');
    const rows = [...top.matchAll(/^\| (`.*`.*?) \| (.*) \|$/gm)].map(([, names = '', sections = '']) => ({
      names: matchesOf(names, /`([\w-]+)`/g),
      sections: sections.split('; '),
    }));
    const headings = matchesOf(guide, /^## (.*)$/gm);
    for (const section of rows.flatMap(({ sections }) => sections))
      assert.ok(headings.includes(section), section);
    const names = rows.flatMap((row) => row.names);
    for (const name of names) {
      const [, sweep] = /^sweep-(.*)$/.exec(name) ?? [];
      assert.ok(sweep === undefined ? isPart(name) : sweepNames.includes(sweep), name);
    }
    const led = names.map((name) => name.replace(/[A-Z]+$/, '*'));
    assert.equal(reports.length, matchesOf(code, /\b(health\.report\()/g).length);
    for (const { at, name } of reports) assert.ok(name !== undefined && led.includes(name), `${at}: ${name}`);
  });
  it('has a plain name for each part and each sweep, which operators read beside the one of the program', () => {
    const [top = ''] = guide.split('\n## ');
    const [table = ''] = top.split('| health name').slice(1);
    const named = matchesOf(table, /^\| (`.*`)/gm).flatMap((cell) => matchesOf(cell, /`([\w-]+)`/g));
    const parts = named.filter((name) => !/[A-Z]/.test(name));
    const sweeps = sweepNames.filter((name) => !/[A-Z]/.test(name)).map((name) => `sweep-${name}`);
    assert.ok(parts.length > 10 && sweeps.length > 15);
    for (const name of [...parts, ...sweeps, ONLY_NODE, REDIS_NODES])
      assert.ok(wordAt(wordsOf('en'), `healthNames.parts.${name}`), name);
    for (const name of named.filter((one) => /[A-Z]/.test(one)))
      assert.ok(wordAt(wordsOf('en'), `healthNames.kinds.${name.replace(/-[A-Z]+$/, '')}`), name);
  });
});
