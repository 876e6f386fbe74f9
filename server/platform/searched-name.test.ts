import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchedName } from './searched-name.ts';

test('the words of a searched name are beginnings in any order; a Korean name is one word', () => {
  assert.equal(searchedName(' Ada  Love'), "'ada':* & 'love':*");
  assert.equal(searchedName('O’Brien, Mary-Ann'), "'o':* & 'brien':* & 'mary':* & 'ann':*");
  assert.equal(searchedName('민수 김'), "'민수김':*");
  assert.equal(searchedName('김민'.normalize('NFD')), "'김민':*");
  assert.equal(searchedName('a\\b'), "'a\\\\b':*");
});

test('an address, a number, one letter or a long text is no name', () => {
  for (const text of ['ada@example.com', '482917305', '김', 'a', '1a', 'a b c d e f g'])
    assert.equal(searchedName(text), null, text);
});
