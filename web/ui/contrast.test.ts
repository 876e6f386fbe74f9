import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatPresets } from '#contract/members.ts';
import { contrastOf, isReadable, readableBubble } from './contrast.ts';

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

test('shows a bubble darker or lighter until its text can be read, by the examples of the design', () => {
  assert.equal(readableBubble('#3B82F6', '#FFFFFF'), '#3472D8');
  assert.equal(readableBubble('#EAB308', '#000000'), '#EAB308');
  assert.equal(readableBubble('#FFE08A', '#FFF3C4'), '#7A6C42');
  assert.equal(readableBubble('#243B6B', '#3A3A3A'), '#9FA9BE');
});

test('finds a readable bubble for every preset and for every grey text', () => {
  for (const { id, bubbleColor, textColor } of chatPresets)
    assert.ok(contrastOf(textColor, readableBubble(bubbleColor, textColor)) >= 4.5, id);
  for (let tone = 0; tone < 256; tone += 1) {
    const text = `#${tone.toString(16).padStart(2, '0').repeat(3)}`;
    for (const bubble of ['#000000', '#FFFFFF', '#3B82F6', text])
      assert.ok(contrastOf(text, readableBubble(bubble, text)) >= 4.5, `${text} on ${bubble}`);
  }
});
