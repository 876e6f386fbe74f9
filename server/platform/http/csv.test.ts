import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asCsv } from './csv.ts';

describe('CSV', () => {
  it('quotes cells if needed and keeps signed amounts as numbers', () => {
    const text = asCsv(
      [{ id: '1', amount: '-500', note: 'a "b", c\nd', none: null }],
      ['id', 'amount', 'note', 'none'],
    );
    assert.equal(text, 'id,amount,note,none\r\n1,-500,"a ""b"", c\nd",\r\n');
  });
  for (const evil of ['=HYPERLINK("x")', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', ' =1+1', '＝1+1'])
    it(`never begins a cell as a formula: ${JSON.stringify(evil)}`, () => {
      const cell = asCsv([{ name: evil }], ['name'])
        .split('\r\n')
        .slice(1)
        .join('\r\n')
        .replace(/^"/, '');
      assert.ok(cell.startsWith("'"), cell);
    });
  it('writes the header without rows', () => assert.equal(asCsv([], ['id', 'name']), 'id,name\r\n'));
  it('writes only the given columns, in their order', () =>
    assert.equal(asCsv([{ secret: 's', b: 2, a: 1 }], ['a', 'b']), 'a,b\r\n1,2\r\n'));
});
