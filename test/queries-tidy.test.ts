import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planted, type Source } from './source-tree.ts';
import { readSqlSources } from './sql-texts.ts';
import { literalsOf } from './syntax.ts';

/**
 * SQL stands in the queries of a feature, so that its rules read without it and every statement is found in one place.
 * A statement is made by the tag `sql` or by `sqlText`. Only the files below may import them.
 */

/** The operators' lists are declared: `platform/http/operator-list.ts` makes statements from their fragments. */
const declaredLists = /^server\/[a-z]+\/[a-z-]+-list\.ts$/;

/** Where SQL may stand, each with its reason. */
const homes: [RegExp, string][] = [
  [/^server\/[a-z]+\/([a-z-]+-)?queries\.ts$/, 'the statements of a feature, or of one subject in it'],
  [declaredLists, 'fragments of declared lists'],
  [/^server\/platform\//, 'statements that belong to no feature, such as the clock and the keys of calls'],
  [/^server\/sandbox\//, 'the simulated services keep tables of their own, and live mode loads none of it'],
];

/** Whether a file uses what makes statements: by name, by a namespace, at run time, or by the tag alone. */
function usesSql(text: string): boolean {
  const imported = /\b(?:import|export)\s+(?!type\b)([^;'"]*?)\s*from\s*['"][^'"]*\/database\.ts['"]/g;
  const isMaker = (names: string) => names.includes('*') || /(?<!type )\b(sql|sqlText)\b/.test(names);
  return (
    [...text.matchAll(imported)].some(([, names]) => isMaker(names as string)) ||
    /(?<![.\w`])sql`/.test(text) ||
    /\bimport\(\s*['"`][^'"`]*\/database\.ts/.test(text)
  );
}

/** Whether a literal is a whole statement, which a reader would also run without the tag, and not a sentence. */
const isStatement = (text: string): boolean =>
  !/^[A-Z][a-z]/.test(text) &&
  /^\s*(select\b.*\bfrom|insert into|update [a-z_.]+ (\w+ )?set|delete from|with [a-z_]+ as)\b/is.test(text);

function homeFaults(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.endsWith('.ts'))
    .filter(({ path }) => !homes.some(([pattern]) => pattern.test(path)))
    .filter((source) => usesSql(source.text) || literalsOf(source).some(({ text }) => isStatement(text)))
    .map(({ path }) => `${path} has SQL, which belongs in the queries of its feature`);
}

/** Lists that run a statement, or that are not declared for the kit. */
function listFaults(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path, text }) => declaredLists.test(path) && usesSql(text))
    .flatMap(({ path, text }) => [
      ...(/\.(rows|row|one)\s*[<(]/.test(text) ? [`${path} runs a statement`] : []),
      ...(/\b(ListSql|OperatorListBinding)</.test(text) ? [] : [`${path} declares no list`]),
    ]);
}

/** The homes without a file that has SQL. Each alternative of a pattern is a home of its own. */
const unusedHomes = (sources: readonly Source[], among = homes): string[] =>
  among
    .flatMap(([pattern]) => pattern.source.split('|'))
    .filter((part) => !sources.some(({ path, text }) => new RegExp(part).test(path) && usesSql(text)));

describe('SQL in the server', () => {
  const sources = readSqlSources();

  it('stands in the queries', () => assert.deepEqual(homeFaults(sources), []));
  it('is not run by declared lists', () => assert.deepEqual(listFaults(sources), []));
  it('has only homes that are used', () => assert.deepEqual(unusedHomes(sources), []));
  it('is refused a home that is not used, also beside one that is', () => {
    const pattern = /^server\/platform\/|^server\/withdrawals\/queue\.ts$/;
    assert.deepEqual(unusedHomes(sources, [[pattern, 'gone']]), [pattern.source.split('|')[1]]);
  });

  const statement = "from '#platform/database.ts';\nawait tx.rows(sql`select 1`);";
  const refused: [what: string, path: string, text: string][] = [
    ['in a front door', 'server/bonus/bonus.ts', `import { sql } ${statement}`],
    ['in an export', 'server/bonus/export.ts', `import { type Reader, sql } ${statement}`],
    ['in the folder of a rail', 'server/withdrawals/rails/acme/queries.ts', `import { sql } ${statement}`],
    [
      'in the folder of a provider',
      'server/earning/providers/acme/adapter.ts',
      `import { sql } ${statement}`,
    ],
    ['in a file of no feature', 'server/work.ts', `import {\n  type Sql,\n  sql,\n} ${statement}`],
    ['by another name', 'server/bonus/a.ts', `import { sql as statement } ${statement}`],
    ['by a relative import', 'server/bonus/a.ts', "import { sqlText } from '../platform/database.ts';"],
    ['by a namespace', 'server/bonus/a.ts', "import * as database from '#platform/database.ts';"],
    ['by an export from another file', 'server/bonus/a.ts', "export { sql } from '#platform/database.ts';"],
    ['by an import at run time', 'server/bonus/a.ts', "await import('#platform/database.ts');"],
    ['without the tag', 'server/bonus/a.ts', "on.rows({ text: 'select day from bonus.days', values: [] });"],
    ['in capital letters', 'server/bonus/a.ts', "on.rows({ text: 'DELETE FROM bonus.days', values: [] });"],
  ];
  for (const [what, path, text] of refused)
    it(`is refused ${what}`, () => assert.equal(homeFaults(planted(path, text)).length, 1));

  it('is allowed in queries, and rules may name its types', () => {
    for (const path of [
      'server/bonus/queries.ts',
      'server/bonus/streak-queries.ts',
      'server/bonus/day-list.ts',
    ])
      assert.deepEqual(homeFaults(planted(path, `import { sql } ${statement}`)), []);
    const types = "import { json, type Reader, type Sql } from '#platform/database.ts';";
    assert.deepEqual(homeFaults(planted('server/bonus/bonus.ts', types)), []);
    assert.deepEqual(
      homeFaults(planted('server/bonus/bonus.ts', "refuse('Select a day from the list');")),
      [],
    );
  });
  it('is refused in a list that runs it or that declares none', () => {
    const list = 'export const days: ListSql<typeof readDays> = { table: sql`bonus.days` };';
    const faultsOf = (text: string) =>
      listFaults(
        planted('server/bonus/day-list.ts', `import { sql } from '#platform/database.ts';\n${text}`),
      );
    assert.deepEqual(faultsOf(list), []);
    assert.equal(faultsOf(`${list}\nawait reader.row<Day>(sql\`select 1\`);`).length, 1);
    assert.equal(faultsOf('export const day = sql`bonus.days`;').length, 1);
  });
});
