import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInstance } from 'i18next';
import { SHARERS_MAX, type WithdrawalBackground } from '#contract/withdrawals-background.ts';
import { wordsOf } from '../../../test/words.ts';
import { checkWordsOf } from './check-words.ts';

async function reasonOf(language: 'en' | 'ko', check: 'sharing' | 'devices', count: number) {
  const instance = createInstance();
  await instance.init({
    lng: language,
    resources: { [language]: { translation: wordsOf(language) } },
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
  });
  const facts = { destinationSharerCount: count, deviceSharerCount: count };
  const background = { facts } as WithdrawalBackground;
  const flag = check === 'sharing' ? 'shared-address' : 'shared-device';
  const result = { code: check, verdict: 'look', flag, text: '', figure: null, link: null } as const;
  return checkWordsOf(result, { background, t: instance.t, language }).reasons[0];
}

describe('the words of a check', () => {
  it('name the IP address of a shared device, which is not the address of the payout', async () => {
    assert.match(
      (await reasonOf('en', 'devices', 2)) ?? '',
      /^2 other members used .* the same IP address\.$/,
    );
    assert.match((await reasonOf('ko', 'devices', 2)) ?? '', /^다른 회원 2명이 같은 IP 주소에서/);
  });

  it('have the plural of the number, and a plus at the bound', async () => {
    assert.match((await reasonOf('en', 'devices', 1)) ?? '', /^1 other member used /);
    assert.equal(await reasonOf('en', 'sharing', 1), '1 other member uses it.');
    assert.equal(await reasonOf('en', 'sharing', SHARERS_MAX), `${SHARERS_MAX}+ other members use it.`);
    assert.equal(await reasonOf('ko', 'sharing', SHARERS_MAX), `다른 회원 ${SHARERS_MAX}+명도 사용합니다.`);
  });
});
