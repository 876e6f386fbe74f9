import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTROL_FAULT, HALF_FAULT, optionalText, reportedText, text } from './fields.ts';

test('a typed text may have newlines and tabs, and no other control character', () => {
  for (const shape of [text(100), optionalText(100)]) {
    assert.equal(shape.parse(' one\r\n\ttwo\nthree 👩‍👩‍👧 한 \n'), 'one\n\ttwo\nthree 👩‍👩‍👧 한');
    for (const control of ['\u0000', '\u001b[2J', '\u0007', '\b', '\r', '\u007f', '\u009b2J'])
      assert.equal(shape.safeParse(`a${control}b`).error?.issues[0]?.message, CONTROL_FAULT, control);
    for (const half of ['\ud83d', '\ude00 x'])
      assert.equal(shape.safeParse(`a${half}`).error?.issues[0]?.message, HALF_FAULT);
  }
});

test('a reported text may have control characters but NUL, because nobody could mend it', () => {
  assert.equal(reportedText(100).parse('a\u001bb '), 'a\u001bb');
  assert.equal(reportedText(100).safeParse('a\u0000').error?.issues[0]?.message, CONTROL_FAULT);
  assert.equal(reportedText(100).safeParse('\ud83d').error?.issues[0]?.message, HALF_FAULT);
});
