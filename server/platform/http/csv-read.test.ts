import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { asCsv, withoutGuard } from './csv.ts';
import { type CsvRecord, csvRecords } from './csv-read.ts';

const recordsOf = (text: string): Promise<CsvRecord[]> => Array.fromAsync(csvRecords(text));
const cellsOf = async (text: string) => (await recordsOf(text)).map(({ cells }) => cells);

describe('a CSV text', () => {
  it('is read by records, with quoted cells, empty cells and the number of each first line', async () => {
    assert.deepEqual(await recordsOf('\ufeffa,b\r\n1,"x, ""y""\nz"\n\n,\r2,3'), [
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1', 'x, "y"\nz'] },
      { line: 5, cells: ['', ''] },
      { line: 6, cells: ['2', '3'] },
    ]);
    assert.deepEqual(await cellsOf(''), []);
  });

  it('is read with semicolons, and with the separator that Excel’s first line names', async () => {
    const read = [
      ['a', 'b,c'],
      ['1,5', 'x;y'],
    ];
    for (const text of [
      'a;"b,c"\r\n1,5;"x;y"\r\n',
      '\ufeff\n"a";"b,c"\n1,5;"x;y"',
      'sep=;\r\na;b,c\r\n1,5;"x;y"',
      '\ufeffSEP=,\na,"b,c"\n"1,5",x;y',
      'sep=\t\ra\tb,c\r1,5\tx;y',
    ])
      assert.deepEqual(await cellsOf(text), read, text);
    assert.deepEqual(await recordsOf('sep=;\na\n\nb'), [
      { line: 2, cells: ['a'] },
      { line: 4, cells: ['b'] },
    ]);
    // Commas stay the separator unless the first line has more semicolons; a name may have some within quotation marks.
    assert.deepEqual(await cellsOf('a,"x;y;z"\n1;2,3'), [
      ['a', 'x;y;z'],
      ['1;2', '3'],
    ]);
    assert.deepEqual(await cellsOf('sep=;'), []);
  });

  it('ends at what can’t be read, and says why', async () => {
    for (const text of ['a\n"b', 'a\n"b"c', 'a\n"b" ,c', 'a;b\n"c",d'])
      assert.ok((await recordsOf(text)).at(-1)?.fault, text);
  });

  it('is read as it was written, whatever is in the cells', async () => {
    const names = ['one', 'two', 'three'];
    const cell = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom("'", '"', '=', '-', ' ', ':', 'a', '1'), maxLength: 6 }),
      fc.constantFrom('=1+1', '-1', 'a, "b"', 'x;\n=2', '+50 bonus', 'a=-1'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { minLength: 1 }), async (rows) => {
        const given = rows.map((row) => ['x', ...row.slice(1)]);
        const text = asCsv(
          given.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]]))),
          names,
        );
        assert.deepEqual(
          (await cellsOf(text)).map((row) => row.map(withoutGuard)),
          [names, ...given],
        );
      }),
      { numRuns: 400 },
    );
  });

  it('is read within its limits: a long row ends it, and empty lines do not', async () => {
    const long = 'x'.repeat(65_530);
    assert.deepEqual(await cellsOf(`a,b\n${long},1\nc,d`), [
      ['a', 'b'],
      [long, '1'],
      ['c', 'd'],
    ]);
    for (const row of [
      `${long},12345`,
      `"${long}${'""'.repeat(9)}"`,
      ','.repeat(70_000),
      `"${long},\n,,,,,,,,,`,
    ]) {
      const records = await recordsOf(`a,b\n${row}\nc,d`);
      assert.deepEqual([records.length, records[1]?.line], [2, 2]);
      assert.match(records[1]?.fault ?? '', /longer than 65536 characters/);
    }
    const [last] = await recordsOf(`${'\n'.repeat(200_001)}a,b`);
    assert.deepEqual(last, { line: 200_002, cells: ['a', 'b'] });
  });

  it('takes a time that grows with the length only', async () => {
    const quoted = `"${'""'.repeat(30_000)}"\n`;
    for (const text of [
      '"'.repeat(2_000_001),
      ',\n'.repeat(200_000),
      quoted.repeat(60),
      '\r\n'.repeat(1_000_000),
    ]) {
      const before = process.cpuUsage();
      for await (const _ of csvRecords(text));
      // A time that grows with the square of the length would be minutes. Other tests run in this process meanwhile.
      assert.ok(process.cpuUsage(before).user < 10_000_000);
    }
  });
});
