import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillReply, gapsIn, replyFactsOf } from './fill-reply.ts';

const waiting = {
  amount: '5000',
  address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
  // A Thursday in Seoul, and still Wednesday in UTC.
  createdAt: '2026-11-18T16:30:00Z',
};
const site = { processingTime: '1-3', siteTimezone: 'Asia/Seoul' };
const seoyeon = { firstName: '서연', language: 'ko' } as const;

describe('a canned reply', () => {
  it('is filled from the newest withdrawal that waits, in the member’s language and the site’s days', () => {
    const facts = replyFactsOf({ member: seoyeon, waiting, method: '라이트코인', ...site });
    const { text, used } = fillReply(
      '{name} 님, {requestedAt}에 신청한 {amount}({method})는 {deadline}까지 {address}로 갑니다. {name} 님!',
      facts,
    );
    assert.equal(
      text,
      '서연 님, 11월 19일에 신청한 5,000 P(라이트코인)는 11월 24일까지 ltc1qw50…7kgmn4n9로 갑니다. 서연 님!',
    );
    assert.deepEqual(
      used.map(({ name }) => name),
      ['name', 'requestedAt', 'amount', 'method', 'deadline', 'address'],
    );
    assert.deepEqual(gapsIn(text), []);
  });

  it('keeps what no record says as a gap, and other braces as they are', () => {
    const facts = replyFactsOf({
      member: { firstName: 'Mai', language: 'en' },
      waiting: undefined,
      method: undefined,
      ...site,
    });
    const { text, used } = fillReply('{name}: {amount}, {amount} {other}', facts);
    assert.equal(text, 'Mai: {amount}, {amount} {other}');
    assert.deepEqual(used, [{ name: 'name', value: 'Mai' }]);
    assert.deepEqual(gapsIn(text), ['amount']);
  });

  it('promises no day where the operator worded the processing time otherwise', () => {
    const facts = replyFactsOf({ member: seoyeon, waiting, method: 'LTC', ...site, processingTime: 'soon' });
    assert.equal(facts.deadline, undefined);
  });
});
