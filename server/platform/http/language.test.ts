import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceLanguageOf } from './language.ts';

test('takes the language of the device’s cookie, else the one that its browser prefers', () => {
  for (const [chosen, accepted, language] of [
    ['ko', 'en-US', 'ko'],
    ['en', 'ko-KR', 'en'],
    [undefined, 'ko-KR,ko;q=0.9,en;q=0.8', 'ko'],
    [undefined, 'en;q=0.5, ko', 'ko'],
    [undefined, 'fr-FR, ko;q=0.5', 'ko'],
    [undefined, 'ko;q=0', 'en'],
    [undefined, 'de', 'en'],
    [undefined, '*', 'en'],
    [undefined, undefined, 'en'],
    ['tlh', 'ko', 'ko'],
  ] as const) {
    const request = {
      cookies: chosen === undefined ? {} : { language: chosen },
      headers: accepted === undefined ? {} : { 'accept-language': accepted },
    };
    assert.equal(deviceLanguageOf(request), language, `${chosen} ${accepted}`);
  }
});
