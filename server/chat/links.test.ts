import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findLink } from './links.ts';
import cleanLines from './words-clean-lines.json' with { type: 'json' };

describe('a link', () => {
  it('is found by every ending that exists', () => {
    for (const [text, link] of [
      ['come to bonus.photography/kai', 'bonus.photography/kai'],
      ['www.bonus.lol', 'www.bonus.lol'],
      ['https://bonus.quest', 'https://bonus.quest'],
      ['bet-365.lol', 'bet-365.lol'],
      ['bet365.so', 'bet365.so'],
      ['t.me/kai', 't.me/kai'],
      ['보너스.닷컴/a', '보너스.닷컴/a'],
      ['bonus.co.kr', 'bonus.co.kr'],
      ['bit.ly', 'bit.ly'],
      ['bonus.xyz', 'bonus.xyz'],
      ['kai@bonus.lol', 'kai@bonus.lol'],
      ['10.20.30.40', '10.20.30.40'],
    ] as const)
      assert.equal(findLink(text), link, text);
  });
  it('is found in a disguise', () => {
    for (const text of [
      'evil\u115f.com',
      'ev\u1160il.com',
      'evil.\u3164com',
      'evil.c\uffa0om',
      'evil[.]com',
      'evil (.) com',
    ])
      assert.equal(findLink(text), 'evil.com', text);
    assert.equal(findLink('hxxps://evil.com'), 'https://evil.com');
    assert.equal(findLink('HXXP://evil[.]lol'), 'http://evil.lol');
  });
  it('is no sentence that follows another one without a space', () => {
    for (const text of [
      'see.you',
      'ok.so I waited',
      'It came.it was quick',
      'Thanks.love it',
      'I have 3.5 points.Thanks',
      '갔어요.그래서 왔어요',
      '좋아요.한국 분이세요?',
      '포인트 받았어요.감사합니다',
      'wait...what',
    ])
      assert.equal(findLink(text), null, text);
  });
  it('is found in one clean line of a hundred at most', () => {
    const lines = Object.values(cleanLines).flat();
    const found = lines.filter((line) => findLink(line) !== null);
    assert.ok(lines.length >= 300 && found.length <= lines.length / 100, JSON.stringify(found));
  });
});
