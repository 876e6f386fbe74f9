import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  fillSentence,
  operatorSentences,
  type SentenceName,
  sentence,
} from '#contract/operator-sentences.ts';
import { koreanSentences } from './korean-sentences.ts';
import { readSentences } from './read-sentences.ts';

const names = Object.keys(operatorSentences) as SentenceName[];
/** Each sentence is read before so many others, which are at these distances in the list. */
const STEPS = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55];
const placeholdersOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

/** A value that a placeholder may have, by the end of its name. */
function sampleOf(name: string): string {
  if (name.endsWith('At')) return '2030-03-17T15:46:39.000Z';
  if (name.endsWith('Count') || name.endsWith('Points')) return '12480';
  if (name.endsWith('List')) return 'abc (0.50000000, 2030-03-17T15:46:39.000Z), def.example';
  return name.endsWith('Text') ? 'several words' : 'rpc.example:8080';
}

const valuesOf = (name: SentenceName) =>
  Object.fromEntries(placeholdersOf(operatorSentences[name]).map((one) => [one, sampleOf(one)]));
const written = (name: SentenceName) => fillSentence(operatorSentences[name], valuesOf(name));
const read = (name: SentenceName) => ({ kind: 'sentence', name, values: valuesOf(name) });

describe('the sentences for operators', () => {
  it('are each recognized with their values', () => {
    assert.ok(names.length > 100);
    for (const name of names) assert.deepEqual(readSentences(written(name)), [read(name)], name);
  });

  it('are recognized beside each other', () => {
    for (const [index, first] of names.entries()) {
      for (const step of STEPS) {
        const second = names[(index + step) % names.length] as SentenceName;
        const text = `${written(first)} ${written(second)}`;
        assert.deepEqual(readSentences(text), [read(first), read(second)], text);
      }
    }
  });

  it('have Korean texts with the same placeholders', () => {
    for (const name of names) {
      const korean = koreanSentences[name];
      assert.match(korean, /[가-힣]/, name);
      assert.deepEqual(placeholdersOf(korean).sort(), placeholdersOf(operatorSentences[name]).sort(), name);
    }
  });

  it('leave the words of others as they are, before, between and behind', () => {
    const refused = `${sentence('sent-again-refused')} -26: min relay fee not met`;
    const text = `An older one. ${refused} ${sentence('node-busy')} x`;
    assert.deepEqual(readSentences(text), [
      { kind: 'foreign', text: 'An older one.' },
      read('sent-again-refused'),
      { kind: 'foreign', text: '-26: min relay fee not met' },
      read('node-busy'),
      { kind: 'foreign', text: 'x' },
    ]);
    assert.deepEqual(readSentences('The node is busy, sir.'), [
      { kind: 'foreign', text: 'The node is busy, sir.' },
    ]);
  });

  it('are told from refusals, which are recognized as well', () => {
    assert.deepEqual(readSentences(`No fresh exchange rate is available. ${sentence('node-late')}`), [
      { kind: 'refusal', code: 'rate-unavailable' },
      read('node-late'),
    ]);
  });
});
