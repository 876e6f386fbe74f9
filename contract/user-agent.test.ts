import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceNameIn, deviceOf } from './user-agent.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const onWindows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit}`;
const onPhone = `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit}`;
const onAndroid = `Mozilla/5.0 (Linux; Android 15; SM-S921N) ${webkit}`;

const cases: [string, string, string | null, string | null, boolean][] = [
  ['Chrome on Windows', `${onWindows} Chrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Windows', false],
  [
    'Edge, whose user agent also names Chrome',
    `${onWindows} Chrome/140.0 Safari/537.36 Edg/140.0`,
    'Edge',
    'Windows',
    false,
  ],
  ['Safari on a phone', `${onPhone} Version/19.0 Mobile/15E148 Safari/604.1`, 'Safari', 'iPhone', true],
  [
    'Samsung Internet',
    `${onAndroid} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    'Samsung Internet',
    'Android',
    true,
  ],
  [
    'Firefox on Linux',
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Firefox',
    'Linux',
    false,
  ],
  ['a command-line client', 'curl/8.5.0', null, null, false],
  ['an empty user agent', '', null, null, false],
];

for (const [name, userAgent, browser, system, isPhone] of cases)
  test(`recognises ${name}`, () => assert.deepEqual(deviceOf(userAgent), { browser, system, isPhone }));

test('names a device in the reader’s language, without the text of the user agent', () => {
  const userAgent = `${onWindows} Chrome/140.0.0.0 Safari/537.36`;
  assert.equal(deviceNameIn('en', userAgent), 'Chrome on Windows');
  assert.equal(deviceNameIn('ko', userAgent), 'Windows의 Chrome');
  assert.equal(deviceNameIn('en', 'Evil, click http://evil.example'), 'Unknown browser');
  assert.equal(deviceNameIn('ko', 'Evil (Linux)'), 'Linux의 알 수 없는 브라우저');
});
