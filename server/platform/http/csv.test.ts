import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asCsv as fileOf } from './csv.ts';

/** The text of a file behind its byte order mark. */
const asCsv = (...given: Parameters<typeof fileOf>): string => fileOf(...given).replace(/^\ufeff/, '');

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
  for (const separator of ['\n', '\r', '\r\n', ';', '\t'])
    for (const start of ['x', '', 'x\n', 'x "'])
      it(`quotes a cell with a separator and guards each part: ${JSON.stringify(start + separator)}`, () => {
        const text = asCsv([{ note: `${start}${separator}=1` }], ['note']);
        const cell = text.slice('note\r\n'.length, -'\r\n'.length);
        assert.match(cell, /^".*"$/s);
        for (const part of cell.slice(1, -1).split(/[\r\n;\t]/)) assert.doesNotMatch(part, /^[\s"]*=/);
      });
  it('guards a formula after a separator and quotation marks', () =>
    assert.equal(asCsv([{ note: 'a;"=1"' }], ['note']), `note\r\n"a;""'=1"""\r\n`));
  for (const separator of [
    ',',
    '|',
    ':',
    '/',
    '^',
    '~',
    '!',
    '，',
    '；',
    '｜',
    '\u00a0',
    '\u3000',
    ' ',
    '\v',
    '"',
  ])
    for (const sign of ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦'])
      it(`guards a formula after any separator: ${JSON.stringify(`x${separator}${sign}1+1`)}`, () => {
        const text = asCsv([{ note: `x${separator}${sign}cmd()` }], ['note']).slice('note\r\n'.length, -2);
        assert.ok(text.includes(`'${sign}cmd()`), text);
      });
  it('guards arithmetic that begins with a number, and a formula after a separator and spaces', () => {
    for (const evil of ['x;-2+3+cmd|x', 'x; = 1', 'x|  @SUM(A1)', 'x,+1+1', 'x\t- 1'])
      assert.match(asCsv([{ note: evil }], ['note']), /[;|,\t]\s*'[-=@+]/, evil);
  });
  for (const evil of [
    "x;-1 &cmd|'/c calc'!A0;y",
    'x;+1 &HYPERLINK(A1);y',
    "x;-1 ^cmd|'/c calc'!A0;y",
    "x\t-1 &cmd|'/c calc'!A0",
    "x|-1,cmd|'/c calc'!A0|y",
    'x;-1}&cmd',
    'x;-1]<A1',
    'x;-1 >A1',
    'x;-1 percent',
    'x;-1',
    'x -1',
  ])
    for (const note of evil.includes('\t') ? [evil] : [evil, { text: evil }])
      it(`takes no number of a text for an amount: ${JSON.stringify(note)}`, () =>
        assert.match(asCsv([{ note }], ['note']), /[;|\t ]'[-+]1/));
  for (const [name, text] of [
    ['quotation marks', '"'],
    ['tabs', '\t'],
    ['line breaks', '\n'],
    ['separators and spaces', '; '],
    ['signs and spaces', '= '],
  ] as const)
    it(`takes a time that grows with the length only, for ${name}`, () => {
      const beganAt = performance.now();
      asCsv([{ note: `${text.repeat(60_000 / text.length)}x` }], ['note']);
      assert.ok(performance.now() - beganAt < 1_000);
    });
  it('keeps addresses, numbers, dates, hyphens and JSON', () => {
    for (const text of [
      'first+tag@example.com',
      '2026-11-22',
      'C++',
      'offer - bonus',
      '3 = 3',
      '1.5e-7',
      'a-b',
    ])
      assert.equal(asCsv([{ note: text }], ['note']), `note\r\n${text}\r\n`);
    assert.equal(
      asCsv([{ note: { a: -5, b: [1, -2.5] } }], ['note']),
      'note\r\n"{""a"":-5,""b"":[1,-2.5]}"\r\n',
    );
  });
  it('keeps the text of a cell without a formula', () =>
    assert.equal(asCsv([{ note: '1 - 1 = 0;\nb' }], ['note']), 'note\r\n"1 - 1 = 0;\nb"\r\n'));
  it('begins a file with one byte order mark, by which Excel knows UTF-8', () =>
    assert.equal(fileOf([{ id: '한' }], ['id']), '\ufeffid\r\n한\r\n'));
  it('writes the header without rows', () => assert.equal(asCsv([], ['id', 'name']), 'id,name\r\n'));
  it('writes only the given columns, in their order', () =>
    assert.equal(asCsv([{ secret: 's', b: 2, a: 1 }], ['a', 'b']), 'a,b\r\n1,2\r\n'));
});
