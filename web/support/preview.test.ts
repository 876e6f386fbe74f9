import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANSWER_SHOWN, MESSAGE_SHOWN, previewOf } from './preview.ts';

test('§1-2 panel of chat and support: cut a message at 100 characters and an answer at 80, never within one', () => {
  assert.equal(previewOf('x'.repeat(100), MESSAGE_SHOWN), 'x'.repeat(100));
  assert.equal(previewOf('x'.repeat(101), MESSAGE_SHOWN), `${'x'.repeat(100)}…`);
  assert.equal(previewOf('y'.repeat(81), ANSWER_SHOWN), `${'y'.repeat(80)}…`);
  assert.equal(previewOf('🪙'.repeat(81), ANSWER_SHOWN), `${'🪙'.repeat(80)}…`);
});
