import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatPresets } from '#contract/members.ts';
import { contrastOf, isReadable } from './contrast.ts';

test('calculates the WCAG 2 contrast in either order of the colours', () => {
  assert.equal(contrastOf('#000000', '#FFFFFF'), 21);
  assert.equal(contrastOf('#777777', '#777777'), 1);
  assert.ok(Math.abs(contrastOf('#3B82F6', '#ffffff') - 3.68) < 0.01);
  assert.equal(contrastOf('#FFFFFF', '#3B82F6'), contrastOf('#3B82F6', '#FFFFFF'));
});

test('rejects light on light, accepts every preset, and finds 4.5 for all presets but the default', () => {
  assert.equal(isReadable('#FFFFFF', '#FFFF00'), false);
  assert.equal(chatPresets.length, 12);
  for (const { id, bubbleColor, textColor } of chatPresets) {
    assert.ok(isReadable(textColor, bubbleColor), id);
    if (id !== 'default') assert.ok(contrastOf(textColor, bubbleColor) >= 4.5, id);
  }
});
