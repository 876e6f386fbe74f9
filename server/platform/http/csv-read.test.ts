import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { asCsv, withoutGuard } from './csv.ts';
import { csvRecords } from './csv-read.ts';

const cellsOf = (text: string) => [...csvRecords(text)].map(({ cells }) => cells);

describe('a CSV text', () => {
  it('is read by records, with quoted cells, empty cells and the number of each first line', () => {
    assert.deepEqual(
      [...csvRecords('\ufeffa,b\r\n1,"x, ""y""\nz"\n\n,\r2,3')],
      [
        { line: 1, cells: ['a', 'b'] },
        { line: 2, cells: ['1', 'x, "y"\nz'] },
        { line: 5, cells: ['', ''] },
        { line: 6, cells: ['2', '3'] },
      ],
    );
    assert.deepEqual(cellsOf(''), []);
  });

  it('ends at what can’t be read, and says why', () => {
    for (const text of ['a\n"b', 'a\n"b"c', 'a\n"b" ,c'])
      assert.ok([...csvRecords(text)].at(-1)?.fault, text);
  });

  it('is read as it was written, whatever is in the cells', () => {
    const names = ['one', 'two', 'three'];
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom('=1+1', '-1', 'a, "b"', 'x;\n=2', '+50 bonus', 'a=-1'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1 }), (rows) => {
        // A text may have an apostrophe before a sign of its own, which reads as a guard.
        const given = rows.map((row) => ['x', ...row.slice(1)].map((text) => text.replaceAll("'", '')));
        const text = asCsv(
          given.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]]))),
          names,
        );
        assert.deepEqual(
          cellsOf(text).map((row) => row.map(withoutGuard)),
          [names, ...given],
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes a time that grows with the length only', () => {
    for (const text of ['"'.repeat(2_000_001), ',\n'.repeat(1_000_000), `"${'""'.repeat(1_000_000)}`]) {
      const beganAt = performance.now();
      for (const _ of csvRecords(text));
      assert.ok(performance.now() - beganAt < 2_000);
    }
  });
});
