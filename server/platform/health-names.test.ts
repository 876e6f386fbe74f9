import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wordAt, wordsOf } from '../../test/words.ts';
import { kinds, nodeLeases, parts, sweeps } from './health-names.ts';

describe('the names of health', () => {
  it('have each a plain name, which operators read beside the one of the program', () => {
    const names = [...Object.keys(parts), ...Object.values(nodeLeases)];
    const all = [...names, ...Object.keys(sweeps).map((name) => `sweep-${name}`)];
    const words = wordsOf('en');
    assert.deepEqual(Object.keys(wordAt(words, 'healthNames.parts') ?? {}).sort(), all.sort());
    assert.deepEqual(Object.keys(wordAt(words, 'healthNames.kinds') ?? {}).sort(), Object.keys(kinds).sort());
  });
});
