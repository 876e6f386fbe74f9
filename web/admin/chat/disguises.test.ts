import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { disguisesOf } from './disguises.ts';

const textsOf = (word: string) => disguisesOf(word).map(({ way, text }) => `${way}: ${text}`);

describe('the disguises of a word', () => {
  it('are those of Latin letters', () =>
    assert.deepEqual(textsOf('free points'), [
      'figures: fr33 p01nt5',
      'spaces: f r e e points',
      'dots: f.r.e.e-points',
      'wide: ｆｒｅｅ points',
      'lookAlike: frее роints',
      'repeated: freeee pointsss',
      'inside: carefree points',
      'order: points for free',
    ]));
  it('are those of Korean syllables', () =>
    assert.deepEqual(textsOf('무료 충전'), [
      'spaces: 무 료 충전',
      'dots: 무.료-충전',
      'syllables: ㅁㅜ료 충전',
      'inside: 새무료 충전',
      'order: 충전 그리고 무료',
    ]));
  it('have no way that changes nothing', () =>
    assert.deepEqual(textsOf('돈'), ['syllables: ㄷㅗㄴ', 'inside: 새돈']));
});
