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
/** Korean has no singular form, so it lacks the English keys for one. */
const keysOf = (texts: Words) =>
  [...leaves(texts)]
    .map(([key]) => key)
    .filter((key) => !key.endsWith('_one'))
    .sort();

test('§1-1 languages: has the same keys in both languages', () => {
  assert.deepEqual(keysOf(ko), keysOf(en));
});

test('has the same keys in both languages of each feature', () => {
  const [english, korean] = [wordFiles('en'), wordFiles('ko')];
  assert.ok(english.length > 10);
  assert.deepEqual(
    korean.map(({ path }) => path),
    english.map(({ path }) => path.replace('.en.', '.ko.')),
  );
  for (const [index, { path, words }] of english.entries())
    assert.deepEqual(keysOf(korean[index]?.words ?? {}), keysOf(words), path);
});

test('defines a section of words in one feature only', () => {
  const sections = wordFiles('en').flatMap(({ words }) => Object.keys(words));
  assert.deepEqual(sections.length, new Set(sections).size);
});

test('uses the same placeholders in both languages', () => {
  const english = new Map(leaves(en));
  for (const [key, text] of leaves(ko)) {
    assert.deepEqual(placeholders(text), placeholders(english.get(key) ?? ''), key);
  }
});

test('has a text for every refusal of the contract, and one for no answer', () => {
  assert.deepEqual(Object.keys(en.refusals ?? {}).sort(), [...Object.keys(refusals), 'unreachable'].sort());
});

test('has no empty text, and Korean letters in every Korean text but brand names and Admin', () => {
  for (const [key, text] of [...leaves(en), ...leaves(ko)]) assert.notEqual(text.trim(), '', key);
  const isForeign = (text: string) =>
    !/[가-힣]/.test(text) && /[A-Za-z]{2,}/.test(text.replace(/\{\w+\}/g, ''));
  const foreign = [...leaves(ko)].filter(([, text]) => isForeign(text)).map(([key]) => key);
  assert.deepEqual(foreign.sort(), [
    'methods.paypal',
    'support.answer',
    'walletAccounts.balances.names.paypal',
  ]);
});
