import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';

/** The numbers of the migrations. Two changes that are made at the same time may take the same one. */
const numbers = readdirSync(`${import.meta.dirname}/../server/migrations`)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.slice(0, 4))
  .sort();

describe('the migrations', () => {
  it('have the numbers from 0001 on, each once', () => {
    assert.ok(numbers.length > 0);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => String(index + 1).padStart(4, '0')),
    );
  });
});
