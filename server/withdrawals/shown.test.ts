import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownName } from './shown.ts';

test('writes a Korean name family name first without a space, and others first name first', () => {
  assert.equal(shownName('하은', '최'), '최하은');
  assert.equal(shownName('Mina', 'Kim'), 'Mina Kim');
  assert.equal(shownName('하은', 'Choi'), '하은 Choi');
  assert.equal(shownName('Mina', '김'), 'Mina 김');
});

test('shows a single name unchanged', () => {
  assert.equal(shownName('하은', null), '하은');
  assert.equal(shownName('Mina', ''), 'Mina');
});
