import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultOfLine } from './line-faults.ts';

describe('a fault of a line', () => {
  it('has a sentence for each line of a file', () => {
    for (const [text, key, values] of [
      ['reward: Invalid amount', 'fields.reward', {}],
      ['reward: Must be the sum of the steps', 'messages.sumOfSteps', {}],
      ['steps.0.days: Too big', 'steps.days', {}],
      ['provider: There is no provider x:y', 'messages.noProvider', { name: 'x:y' }],
      ['id: 12 is there twice', 'messages.idTwice', { id: '12' }],
      ['There is no column "price"', 'lines.noColumn', { name: 'price' }],
      ['The column kind is there twice', 'lines.columnTwice', { name: 'kind' }],
      ['6 cells instead of 7', 'lines.cells', { cells: '6', wanted: '7' }],
      ['At most 10000 rows', 'lines.tooManyRows', { max: '10000' }],
      ['A quotation mark is not closed', 'lines.openQuote', {}],
      ['Something: new', 'lines.unknown', { text: 'Something: new' }],
    ] as const) {
      const fault = faultOfLine(text);
      assert.deepEqual([fault.key, fault.values], [key, values], text);
    }
  });
});
