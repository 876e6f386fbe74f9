import assert from 'node:assert/strict';
import { test } from 'node:test';
import { internationalForm, likelyCountry, phoneCountries } from './phone-countries.ts';

test('reads a number as people of its country write it', () => {
  for (const text of ['010-5550-1234', '０１０ ５５５０ １２３４', '+82 010-5550-1234', '+821055501234'])
    assert.equal(internationalForm(text, 'KR'), '+821055501234', text);
  assert.equal(internationalForm('07418 123456', 'GB'), '+447418123456');
  assert.equal(internationalForm('06 1234 5678', 'IT'), '+390612345678');
  assert.equal(internationalForm('+44 07418 123456', 'KR'), '+447418123456');
  for (const text of ['', '010-5550', '010-5550-1234 ext. 5', 'call 010-5550-1234'])
    assert.equal(internationalForm(text, 'KR'), undefined, text);
});

test('names the countries in the language of the reader', () => {
  const labelOf = (language: string) => phoneCountries(language).find(({ value }) => value === 'KR')?.label;
  assert.equal(labelOf('en'), 'South Korea (+82)');
  assert.equal(labelOf('ko'), '대한민국 (+82)');
});

test('proposes the country of the browser, else that of the site', () => {
  assert.equal(likelyCountry(['en-GB', 'ko-KR'], 'Asia/Seoul'), 'GB');
  assert.equal(likelyCountry(['ko', 'zh-Hans-CN'], 'Asia/Seoul'), 'CN');
  assert.equal(likelyCountry(['ko', 'en'], 'Asia/Seoul'), 'KR');
  assert.equal(likelyCountry(['en', 'en-US@posix'], 'Asia/Tokyo'), 'US');
  assert.equal(likelyCountry(['en'], 'Asia/Tokyo'), 'JP');
  assert.equal(likelyCountry([], undefined), 'KR');
});
