import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { printable, printableFile } from './admin-print.ts';
import { sentenceOfWords } from './admin-words.ts';

describe('a line of the command line', () => {
  it('shows control characters, invisible ones and turned text as codes', () => {
    assert.equal(
      printable('ok\n7: forged\r\u001b]0;owned\u0007\u009b2J\u202eabc'),
      'ok\\u000a7: forged\\u000d\\u001b]0;owned\\u0007\\u009b2J\\u202eabc',
    );
    assert.equal(
      printable('a\u200bb\u200d\u200e\u200f\u061c\u00ad\u3164\ufeff\u{e0041}'),
      'a\\u200bb\\u200d\\u200e\\u200f\\u061c\\u00ad\\u3164\\ufeff\\u{e0041}',
    );
    assert.equal(printable('한국어, naïve, 👩‍👩‍👧 – “quoted”'), '한국어, naïve, 👩‍👩‍👧 – “quoted”');
  });

  it('of a file keeps its lines and cells, and shows other control characters as codes', () =>
    assert.equal(
      printableFile('\ufeffid,name\r\n1,"Kim\u001b[2J\u009b\n\tLee"\r\n'),
      '\ufeffid,name\r\n1,"Kim\\u001b[2J\\u009b\n\tLee"\r\n',
    ));

  it('is stored as a reason without control characters', () => {
    assert.equal(sentenceOfWords(['asked\n', 'by\u001b[2J', '회원']), 'asked\\u000a by\\u001b[2J 회원');
  });

  it('is printed in no other way', () => {
    const files = globSync('{admin*,*-command*}.ts', { cwd: import.meta.dirname });
    assert.ok(files.length > 5);
    const others = files.filter(
      (file) =>
        !file.startsWith('admin-print.') &&
        /\bconsole\./.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')),
    );
    assert.deepEqual(others, []);
  });
});
