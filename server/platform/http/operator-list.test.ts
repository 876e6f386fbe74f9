import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { z } from 'zod';
import type { QueryOf } from '#contract/endpoint.ts';
import { operatorList } from '#contract/operator-list.ts';
import { testDatabase } from '../../../test/database.ts';
import { sql } from '../database.ts';
import { countRows, type ListSql, readAllRows, readPage, sumPoints } from './operator-list.ts';

/** Compares a list over a test table with the same filters and sorts in memory. */
const { owner } = await testDatabase({ after });
const kinds = ['red', 'green', 'blue'] as const;
const things = operatorList({
  path: '/api/admin/things',
  summary: 'For a test',
  row: z.object({ id: z.string(), size: z.string(), kind: z.enum(kinds) }),
  sorts: ['id', 'size'],
  defaultSort: '-id',
  filters: {
    kind: { kind: 'choice', choices: kinds },
    minSize: { kind: 'points' },
    hours: { kind: 'hours' },
  },
  searches: ['id', 'name'],
});
type Thing = { id: bigint; size: bigint; kind: (typeof kinds)[number]; name: string };

const source: ListSql<typeof things> = {
  table: sql`trial.things`,
  alias: sql`t`,
  key: sql`t.id`,
  withId: ({ rowId }) => sql`t.id = ${rowId}::bigint`,
  where: sql`not t.is_hidden`,
  columns: sql`t.id, t.size, t.kind, n.name`,
  joins: sql`join trial.names n on n.id = t.id`,
  sorts: { id: [sql`t.id`], size: [sql`t.size`, sql`t.id`] },
  filters: {
    kind: (kind) => sql`t.kind = ${kind}`,
    minSize: (size) => sql`t.size >= ${size}::bigint`,
    hours: (hours) => sql`t.id <= ${hours}::bigint`,
  },
  search: ({ prefix, rowId }) => sql`
    select id from trial.names where name like ${prefix} union all select ${rowId}::bigint`,
};

const COUNT = 2_500;
await owner.rows(sql`create schema trial`);
await owner.rows(sql`
  create table trial.things (id bigint primary key, size bigint, kind text, is_hidden boolean)`);
await owner.rows(sql`create table trial.names (id bigint primary key, name text)`);
await owner.rows(sql`
  insert into trial.things
  select g, g * 7919 % 50, (array['red', 'green', 'blue'])[1 + g % 3], g % 10 = 0
  from generate_series(1, ${COUNT}::integer) g`);
await owner.rows(sql`
  insert into trial.names select g, 'thing-' || g from generate_series(1, ${COUNT}::integer) g`);
const all = await owner.rows<Thing>(sql`
  select t.id, t.size, t.kind, n.name from trial.things t join trial.names n on n.id = t.id
  where not t.is_hidden`);

const parsed = (query: Record<string, string>): QueryOf<typeof things> => things.query.parse(query);

/** The expected rows of a query, computed in memory. */
function expected(query: QueryOf<typeof things>): Thing[] {
  const found = all
    .filter(({ kind }) => query.kind === undefined || kind === query.kind)
    .filter(({ size }) => query.minSize === undefined || size >= BigInt(query.minSize))
    .filter(({ id }) => query.hours === undefined || id <= BigInt(query.hours))
    .filter(({ id }) => !query.id || String(id) === query.id)
    .filter(({ id, name }) => !query.q || name.startsWith(query.q) || String(id) === query.q);
  const bySize = query.sort.endsWith('size');
  found.sort((a, b) => Number((bySize ? a.size - b.size : 0n) || a.id - b.id));
  return query.sort.startsWith('-') ? found.reverse() : found;
}
const idsOf = (rows: readonly Pick<Thing, 'id'>[]) => rows.map(({ id }) => id);

const queries: Record<string, string>[] = [
  {},
  { kind: 'red' },
  { minSize: '25' },
  { kind: 'blue', minSize: '0', hours: '100' },
  { id: '77' },
  { id: '77', kind: 'red' },
  { id: 'thing-77' },
  { q: 'thing-12' },
  { q: '77' },
  { q: 'thing_1' },
  { q: '%' },
  { q: 'thing-1', kind: 'green', minSize: '10' },
];

describe('an operator’s list', () => {
  for (const query of queries)
    for (const sort of ['id', '-id', 'size', '-size'])
      it(`filters, sorts and pages: ${JSON.stringify({ ...query, sort })}`, async () => {
        const whole = expected(parsed({ ...query, sort }));
        for (const page of [1, 2, 40]) {
          const asked = parsed({ ...query, sort, page: String(page), limit: '30' });
          const rows = await readPage<typeof things, Thing>(owner, things, source, asked);
          assert.deepEqual(rows, whole.slice((page - 1) * 30, page * 30));
          assert.equal(await countRows(owner, things, source, asked), whole.length);
        }
      });
  it('reads all matching rows in order, over many pieces, with ties in the sort', async () => {
    for (const query of [{ sort: 'size' }, { sort: '-size', kind: 'red' }, {}, { q: 'thing-', sort: 'id' }]) {
      const asked = parsed(query);
      const pieces = await Array.fromAsync(readAllRows<typeof things, Thing>(owner, things, source, asked));
      assert.deepEqual(idsOf(pieces.flat()), idsOf(expected(asked)));
    }
  });
  it('reads no row twice while rows are inserted', async () => {
    const ids: bigint[] = [];
    for await (const rows of readAllRows<typeof things, Thing>(owner, things, source, parsed({}))) {
      ids.push(...idsOf(rows));
      // Ids above all others: the newest rows come first, so a page by its number would repeat some.
      const idOffset = 1_000_000 * ids.length;
      await owner.rows(sql`
        insert into trial.things select id + ${idOffset}::bigint, size, kind, false from trial.things where id < 100`);
    }
    assert.deepEqual(ids, idsOf(expected(parsed({}))));
    await owner.rows(sql`delete from trial.things where id > 1000000`);
  });
  it('counts at most 10,001 rows', async () => {
    await owner.rows(sql`
      insert into trial.things select g, 1, 'red', false from generate_series(20001, 40000) g`);
    assert.equal(await countRows(owner, things, source, parsed({})), 10_001);
    await owner.rows(sql`delete from trial.things where id > 20000`);
  });
  it('uses a stored total', async () => {
    const kept = { ...source, findTotal: async () => 7n };
    assert.equal(await countRows(owner, things, kept, parsed({})), 7);
    const unknown = { ...source, findTotal: async () => undefined };
    assert.equal(
      await countRows(owner, things, unknown, parsed({ kind: 'red' })),
      expected(parsed({ kind: 'red' })).length,
    );
  });
});

describe('the points of an operator’s list', () => {
  const summed = { ...source, points: sql`t.size` };
  const sumOf = (query: Record<string, string>, list = summed) =>
    sumPoints(owner, things, list, parsed(query));
  it('are those of the rows that match, while these are few', async () => {
    for (const query of [
      { hours: '100' },
      { q: 'thing-12' },
      { kind: 'green', hours: '300' },
      { q: 'none' },
    ]) {
      const sum = expected(parsed(query)).reduce((points, { size }) => points + size, 0n);
      assert.equal(await sumOf(query), sum, JSON.stringify(query));
    }
    assert.equal(await sumOf({}), undefined, 'more than 1,000');
    assert.equal(await sumOf({ hours: '100' }, source as typeof summed), undefined, 'a list without points');
  });
  it('are not read beside a stored total', async () => {
    const kept = { ...summed, findTotal: async () => 7n };
    assert.equal(await sumOf({ hours: '100' }, kept), undefined);
  });
});

describe('the query of an operator’s list', () => {
  it('defaults to 20 rows in the declared order', () =>
    assert.deepEqual(parsed({}), { page: 1, limit: 20, sort: '-id', format: 'json' }));
  it('ignores unknown parameters', () => assert.equal('other' in parsed({ other: 'x' }), false));
  for (const wrong of [
    { sort: 'name' },
    { sort: '--id' },
    { kind: 'RED' },
    { kind: '' },
    { minSize: '-1' },
    { minSize: '1.5' },
    { minSize: '1e3' },
    { hours: '0' },
    { limit: '101' },
    { page: '0' },
    { format: 'xml' },
    { q: 'a\u0000' },
  ])
    it(`refuses ${JSON.stringify(wrong)}`, () => assert.equal(things.query.safeParse(wrong).success, false));
});
