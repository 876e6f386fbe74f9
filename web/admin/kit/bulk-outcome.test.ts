import assert from 'node:assert/strict';
import { it } from 'node:test';
import { afterUndo, type BulkOutcome } from './bulk-outcome.ts';

const row = (id: string, kind: 'done' | 'stayed') => ({ id, name: id, kind, text: kind });
const outcome: BulkOutcome = {
  doneText: '3 approved',
  partText: null,
  stayedText: '1 stays',
  rows: [
    row('sent', 'done'),
    row('back', 'done'),
    row('late', 'done'),
    row('other', 'stayed'),
    { ...row('before', 'done'), isReverted: true },
  ],
  undoableIds: ['back', 'late'],
};
const words = { kept: (count: number) => `${count} kept`, undone: (count: number) => `${count} undone` };

it('tells after an undo what stays done beside what was taken back, and what was not', () => {
  const tried = new Map([
    ['back', { kind: 'part', text: 'Taken back' }],
    ['late', { kind: 'failed', text: 'Sent meanwhile' }],
  ] as const);
  const after = afterUndo(outcome, tried, words);
  assert.deepEqual([after.doneText, after.partText, after.stayedText], ['1 kept', '1 undone', '1 stays']);
  assert.deepEqual(
    after.rows.map(({ id, kind }) => `${id} ${kind}`),
    ['sent done', 'back part', 'late failed', 'other stayed', 'before done'],
  );
  assert.deepEqual(after.undoableIds, []);
});

it('says nothing of what is none', () => {
  const only = { ...outcome, rows: [row('back', 'done')] };
  const back = new Map([['back', { kind: 'part', text: 'Taken back' }]] as const);
  assert.equal(afterUndo(only, back, words).doneText, null);
  const late = new Map([['back', { kind: 'failed', text: 'Sent meanwhile' }]] as const);
  assert.equal(afterUndo(only, late, words).partText, null);
});
