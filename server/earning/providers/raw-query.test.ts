import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeQuery, InvalidPostback, rawValue, receivedUrl, splitQuery } from './raw-query.ts';

const decoded = (query: string, deciding = ['a', 'b']) => [
  ...decodeQuery(splitQuery(`https://h/p?${query}`), new Set(deciding)),
];

test('builds the URL from the public origin and the received path and query, for any host', () => {
  assert.equal(
    receivedUrl('https://rewards.example', '/a%2fb?x=%41+%zz'),
    'https://rewards.example/a%2fb?x=%41+%zz',
  );
  assert.equal(receivedUrl('https://rewards.example', '//evil/a?x=1'), 'https://rewards.example//evil/a?x=1');
  assert.equal(
    receivedUrl('https://rewards.example', 'http://evil:81/a?x=1'),
    'https://rewards.example/a?x=1',
  );
  assert.equal(
    receivedUrl('https://rewards.example', 'HTTP://evil?x=http://b/'),
    'https://rewards.example?x=http://b/',
  );
});

test('splits a query without decoding it', () => {
  assert.deepEqual(splitQuery('https://h/p?a=%31&b&&a=2=3&=x&c=?'), [
    { name: 'a', value: '%31' },
    { name: 'b', value: '' },
    { name: 'a', value: '2=3' },
    { name: '', value: 'x' },
    { name: 'c', value: '?' },
  ]);
  assert.deepEqual(splitQuery('https://h/p'), []);
  assert.equal(rawValue(splitQuery('https://h/p?a=%31&a=2'), 'a'), '%31');
  assert.equal(rawValue(splitQuery('https://h/p?%61=1'), 'a'), '');
});

test('decodes values as form text, from percent-encoding and from raw bytes', () => {
  assert.deepEqual(decoded('a=A%20%26+B&b=%ED%95%9C&c=\xed\x95\x9c&__proto__=x'), [
    ['a', 'A & B'],
    ['b', '한'],
    ['c', '한'],
    ['__proto__', 'x'],
  ]);
});

test('decodes what URLSearchParams encodes', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 })),
      fc.string({ unit: 'grapheme' }),
      (names, value) => {
        const query = new URLSearchParams(names.map((name): [string, string] => [name, value])).toString();
        assert.deepEqual(
          decoded(query, names),
          names.map((name) => [name, value]),
        );
      },
    ),
  );
});

test('refuses a repeated deciding name, also if one is percent-encoded', () => {
  for (const query of ['a=1&a=1', 'a=1&%61=2', 'b&b', 'a=&x=1&a='])
    assert.throws(() => decoded(query), InvalidPostback, query);
});

test('refuses a malformed encoding of a deciding value', () => {
  for (const query of ['a=%', 'a=%zz', 'a=%E0%A4%A', 'a=%ff', 'a=\xff', 'a=%C0%80', 'a=%ED%A0%80', '%61=%'])
    assert.throws(() => decoded(query), InvalidPostback, query);
});

test('keeps what is no escape or no UTF-8 in other names and values, and the last of repeated ones', () => {
  for (const [query, name, value] of [
    ['c=Example%App%3A%20Sports+%26%20Casino', 'c', 'Example%App: Sports & Casino'],
    ['c=%ED%95%9C%ED%95', 'c', '한%ED%95'],
    ['c=%ED%95%9C%E', 'c', '한%E'],
    ['c=%C7%D1%20%41', 'c', '%C7%D1 A'],
    ['c=\xc7\xd1 A\xed\x95\x9c', 'c', '%C7%D1 A한'],
    ['c=%C0%80%ED%A0%80%', 'c', '%C0%80%ED%A0%80%'],
    ['%c3%zz=1', '%c3%zz', '1'],
    // No broken spelling becomes the name of a deciding parameter.
    ['%61%=1', 'a%', '1'],
    ['c=1&%63=%&c=2', 'c', '2'],
  ] as const)
    assert.deepEqual(decoded(query), [[name, value]], query);
});
