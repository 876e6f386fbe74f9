import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { variables } from '../server/platform/config.ts';
import { kinds, parts, sweeps } from '../server/platform/health-names.ts';
import { listedMetrics } from '../server/platform/metric-names.ts';
import { root, type Source } from './source-tree.ts';
import { coverageOf, testSources } from './spec-coverage.ts';

/** What `npm run documents` writes: the coverage of the specification, and tables of what the code declares. */
export const documentsMade = (): Source[] => [
  { path: 'docs/spec-coverage.md', text: coverageOf(testSources()) },
  withTables('README.md', { variables: variableTable() }),
  withTables('docs/operating.md', { 'health names': healthTable(), metrics: metricTable() }),
];

/** The section of `docs/operating.md` of each health name. A sweep without one of its own has that of all sweeps. */
export const sectionOfName = new Map<string, string>([
  ...Object.entries(parts),
  ...Object.entries(kinds).map(([kind, { of, section }]) => [`${kind}-${of}`, section] as const),
  ...Object.entries(sweeps)
    .filter(([, section]) => section !== kinds.sweep.section)
    .map(([name, section]) => [`sweep-${name}`, section] as const),
]);

const tableOf = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    `| ${heads.join(' | ')} |`,
    `|${'---|'.repeat(heads.length)}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');

const variableTable = () =>
  tableOf(
    ['variable', 'what it is for'],
    variables.map(({ name, description }) => [`\`${name}\``, description]),
  );

function healthTable(): string {
  const namesIn = Map.groupBy(sectionOfName.keys(), (name) => sectionOfName.get(name) ?? '');
  const rows = [...namesIn].map(([section, names]) => [
    names.map((name) => `\`${name}\``).join(', '),
    section,
  ]);
  return tableOf(['health name', 'section'], rows);
}

const metricTable = () =>
  tableOf(
    ['metric', 'what it tells', 'alert when'],
    listedMetrics.map(({ name, labels, tells, alert }) => [
      `\`${name}${labels.length > 0 ? `{${labels.join()}}` : ''}\``,
      tells,
      alert,
    ]),
  );

/** A document with these tables between their marks. */
function withTables(path: string, tables: Record<string, string>): Source {
  let text = readFileSync(join(root, path), 'utf8');
  for (const [name, table] of Object.entries(tables)) {
    const mark = `<!-- ${name}, by npm run documents -->\n`;
    const [before, after] = text.split(mark);
    const end = after?.indexOf('<!-- end -->') ?? -1;
    if (before === undefined || after === undefined || end < 0)
      throw new Error(`${path}: no place for ${name}`);
    text = `${before}${mark}${table}\n${after.slice(end)}`;
  }
  return { path, text };
}
