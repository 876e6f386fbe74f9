import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusals } from '#contract/refusals.ts';
import { type Words, wordFiles, wordsOf } from '../../test/words.ts';

const en = wordsOf('en');
const ko = wordsOf('ko');

function* leaves(texts: Words, prefix = ''): Generator<[string, string]> {
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') yield [`${prefix}${key}`, value];
    else yield* leaves(value, `${prefix}${key}.`);
  }
}

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
/** Korean has one form for every number, so it lacks the English singular. */
const keysOf = (texts: Words) =>
  [...leaves(texts)]
    .map(([key]) => key)
    .filter((key) => !key.endsWith('_one'))
    .sort();

test('both languages say the same things', () => {
  assert.deepEqual(keysOf(ko), keysOf(en));
});

test('each feature says the same things in both languages', () => {
  const [english, korean] = [wordFiles('en'), wordFiles('ko')];
  assert.ok(english.length > 10);
  assert.deepEqual(
    korean.map(({ path }) => path),
    english.map(({ path }) => path.replace('.en.', '.ko.')),
  );
  for (const [index, { path, words }] of english.entries())
    assert.deepEqual(keysOf(korean[index]?.words ?? {}), keysOf(words), path);
});

test('a section stands in the words of one feature only', () => {
  const sections = wordFiles('en').flatMap(({ words }) => Object.keys(words));
  assert.deepEqual(sections.length, new Set(sections).size);
});

test('both languages name the same values in every sentence', () => {
  const english = new Map(leaves(en));
  for (const [key, text] of leaves(ko)) {
    assert.deepEqual(placeholders(text), placeholders(english.get(key) ?? ''), key);
  }
});

test('every refusal of the contract has a sentence, and one for no answer at all', () => {
  assert.deepEqual(Object.keys(en.refusals ?? {}).sort(), [...Object.keys(refusals), 'unreachable'].sort());
});

test('no text is empty, and a Korean one is Korean where it has words of its own', () => {
  for (const [key, text] of [...leaves(en), ...leaves(ko)]) assert.notEqual(text.trim(), '', key);
  const isForeign = (text: string) =>
    !/[가-힣]/.test(text) && /[A-Za-z]{2,}/.test(text.replace(/\{\w+\}/g, ''));
  const foreign = [...leaves(ko)].filter(([, text]) => isForeign(text)).map(([key]) => key);
  assert.deepEqual(foreign, ['methods.paypal']);
});
