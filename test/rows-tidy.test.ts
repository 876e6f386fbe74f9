import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isTest, planted, readTree, root, type Source } from './source-tree.ts';
import { lineAt, type Node, nodesOf } from './syntax.ts';

/**
 * Rows leave the queries in camelCase, so that the name of a column stands in SQL alone. The guard reads the syntax of
 * the server's files, because SQL in a template also says `m.first_name`.
 */

/** Where others give the names. Each entry says whose they are. */
const foreignNames: [RegExp, string][] = [
  [/^server\/access\/google\.ts$/, 'the claims of OpenID Connect'],
  [/^server\/wallets\/connections\.ts$/, 'the fields of PayPal’s answers'],
  [/^server\/earning\/providers\//, 'the parameters of providers'],
  [/^server\/platform\/database-roles\.ts$/, 'the names of the database roles'],
];

/** The name of a property that a node reads, by `row.name` or by taking it out of an object. */
function readName(node: Node): string | undefined {
  if (node.type === 'MemberExpression' && node.computed === false)
    return (node.property as Node).name as string;
  if (node.type !== 'ObjectPattern') return undefined;
  const names = (node.properties as Node[]).map((property) => (property.key as Node | undefined)?.name);
  return names.find((name): name is string => typeof name === 'string' && isSnakeCase(name));
}

const isSnakeCase = (name: string): boolean => /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(name);

const isQueries = (path: string): boolean => /(^|[/-])queries\.ts$/.test(path);

function snakeCaseFaults(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => /^server\/.*\.ts$/.test(path) && !isQueries(path) && !isTest(path))
    .filter(({ path }) => !foreignNames.some(([pattern]) => pattern.test(path)))
    .flatMap((source) =>
      nodesOf(source).flatMap((node) => {
        const name = readName(node);
        if (name === undefined || !isSnakeCase(name)) return [];
        return [`${source.path}:${lineAt(source.text, node.start)}: reads ${name}, a column's name`];
      }),
    );
}

describe('rows outside the queries', () => {
  const sources = readTree(join(root, 'server'));

  it('have names in camelCase', () => assert.deepEqual(snakeCaseFaults(sources), []));
  it('list other names only for files that use them', () => {
    for (const [pattern, whose] of foreignNames)
      assert.ok(
        sources.some(({ path }) => pattern.test(path)),
        `No file has ${whose}`,
      );
  });
  it('are refused with the name of a column', () => {
    const path = 'server/members/a.ts';
    assert.equal(snakeCaseFaults(planted(path, 'const name = row.first_name;')).length, 1);
    assert.equal(snakeCaseFaults(planted(path, 'const name = row?.first_name;')).length, 1);
    assert.equal(snakeCaseFaults(planted(path, 'const { first_name } = row;')).length, 1);
    assert.equal(snakeCaseFaults(planted(path, 'sql`where id = $' + '{row.member_id}`;')).length, 1);
  });
  it('are allowed with it inside SQL and inside the queries', () => {
    assert.deepEqual(snakeCaseFaults(planted('server/members/a.ts', 'sql`select m.first_name`;')), []);
    assert.deepEqual(snakeCaseFaults(planted('server/members/queries.ts', 'row.first_name;')), []);
  });
});
