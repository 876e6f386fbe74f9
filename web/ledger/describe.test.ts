import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInstance, type TFunction } from 'i18next';
import { wordsOf } from '../../test/words.ts';
import { type DescribedEntry, subjectOf, titleOf } from './describe.ts';

const sentencesOf = async (lng: 'en' | 'ko'): Promise<TFunction> => {
  const instance = createInstance();
  await instance.init({
    lng,
    resources: { [lng]: { translation: wordsOf(lng) } },
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
  });
  return instance.t;
};
const inEnglish = await sentencesOf('en');
const inKorean = await sentencesOf('ko');
const entry = (part: Partial<DescribedEntry>): DescribedEntry => ({
  kind: 'earning',
  sourceName: null,
  subject: '',
  isScreenOut: false,
  ...part,
});

describe('the description of a movement', () => {
  it('names the provider and the offer, with any characters in the name', () => {
    const earning = entry({ sourceName: 'CPX Research', subject: 'day 3: heads' });
    assert.equal(titleOf(earning, inEnglish), 'CPX Research · day 3: heads');
    assert.equal(titleOf(earning, inKorean), 'CPX Research · day 3: heads');
  });
  it('names the kind of earning in the reader’s language if no offer is named', () => {
    const earning = entry({ sourceName: 'CPX Research' });
    assert.equal(titleOf(earning, inEnglish), 'CPX Research · Completed');
    assert.equal(titleOf(earning, inKorean), 'CPX Research · 설문 완료');
    assert.equal(subjectOf({ ...earning, isScreenOut: true }, inEnglish), 'Screened out');
  });
  it('names the provider that reversed an earning, and the reason', () => {
    const reversal = entry({ kind: 'reversal', sourceName: 'BitLabs', subject: 'duplicate answer' });
    assert.equal(titleOf(reversal, inEnglish), 'Taken back by BitLabs');
    assert.equal(subjectOf(reversal, inEnglish), 'duplicate answer');
    assert.equal(subjectOf({ ...reversal, subject: '' }, inKorean), '정책 위반');
    assert.equal(titleOf(entry({ kind: 'reversal' }), inKorean), '운영자 회수');
  });
  it('translates the day, the friend, the side and the payment method', () => {
    assert.equal(titleOf(entry({ kind: 'bonus', subject: '3' }), inKorean), '출석 보너스 · 3일째');
    assert.equal(
      titleOf(entry({ kind: 'referral', subject: '123456' }), inEnglish),
      'Friend invited · friend 123456',
    );
    assert.match(titleOf(entry({ kind: 'coinflip-stake', subject: 'heads' }), inKorean), / · 앞면$/);
    const withdrawal = entry({ kind: 'withdrawal', subject: 'litecoin', sourceName: 'Litecoin' });
    assert.equal(titleOf(withdrawal, inEnglish), 'Withdrawal · Litecoin');
    assert.match(titleOf(withdrawal, inKorean), / · 라이트코인$/);
    assert.equal(
      titleOf({ ...withdrawal, subject: 'iou', sourceName: 'Promise' }, inKorean).split(' · ')[1],
      'Promise',
    );
  });
  it('shows the reason of a grant', () =>
    assert.equal(
      titleOf(entry({ kind: 'grant', subject: 'Welcome gift' }), inEnglish),
      'Granted · Welcome gift',
    ));
});
