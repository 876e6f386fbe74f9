import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { riskRules } from '#contract/rule-modes.ts';
import { defaultSettings, withChange } from './settings.ts';
import { changeOf, loosening, settingNames, settingOf } from './settings-bounds.ts';

const { live } = defaultSettings;

const usual = ['5', '10', '15', '20', '25', '30', '50'];

/** Of each setting: a change from the first value to the second one loosens a bound, and the way back does not. */
const looser: Partial<Record<(typeof settingNames)[number], readonly (readonly [unknown, unknown])[]>> = {
  payoutDelaySeconds: [
    [30, 29],
    [30, 0],
  ],
  'caps.memberDay': [
    ['1000', '1001'],
    ['9', '10'],
    ['1000', null],
  ],
  'caps.methodDay': [
    ['1000', '1001'],
    ['1000', null],
  ],
  'caps.secondPersonFrom': [
    ['1000', '999999999999999'],
    ['1000', null],
  ],
  'rateBounds.differencePercent': [[2, 3]],
  'rateBounds.jumpPercent': [[15, 99]],
  providerCeilingTimes: [
    [10, 11],
    [10, null],
  ],
  'switches.addressHold': [[true, false]],
  postbackDays: [[400, 30]],
  'chat.keptDays': [[365, 30]],
  bonusSchedule: [
    [usual, [...usual.slice(0, 6), '51']],
    [usual, ['6', ...usual.slice(1)]],
    [usual, [...usual, '51']],
    [[...usual, '9'], usual],
  ],
};
/** Settings whose changes never wait. */
const free = {
  'brand.name': ['Earnest', 'Farthing'],
  'brand.supportEmail': [null, 'help@example.com'],
  'brand.logo': [null, '0123456789abcdef0123456789abcdef-192.png'],
  'brand.lightColor': [null, '#123456'],
  'brand.darkColor': [null, '#ABCDEF'],
  processingTime: ['1–3 business days', '5 days'],
  payoutsPaused: [true, false],
  'chat.slowModeSeconds': [0, 10],
  'chat.linksNeedEarnings': [true, false],
  ...Object.fromEntries(riskRules.map((rule) => [`riskRules.${rule}` as const, ['on', 'off']])),
} as const;

describe('the bounds of the site', () => {
  it('name every setting', () => {
    assert.deepEqual([...settingNames].sort(), [...Object.keys(looser), ...Object.keys(free)].sort());
    for (const name of settingNames) assert.notEqual(settingOf(live, name), undefined, name);
  });

  for (const [name, steps] of Object.entries(looser) as [
    (typeof settingNames)[number],
    [unknown, unknown][],
  ][])
    for (const [from, to] of steps)
      it(`are loosened by ${name} from ${from} to ${to} only`, () => {
        const tight = withChange(live, changeOf(name, from));
        assert.deepEqual(loosening(tight, changeOf(name, to)), [{ setting: name, from, to }]);
        assert.deepEqual(loosening(withChange(live, changeOf(name, to)), changeOf(name, from)), []);
        assert.deepEqual(loosening(tight, changeOf(name, from)), []);
      });

  for (const [name, [from, to]] of Object.entries(free) as [keyof typeof free, readonly [unknown, unknown]][])
    it(`are not those of ${name}`, () => {
      for (const [was, is] of [
        [from, to],
        [to, from],
      ])
        assert.deepEqual(loosening(withChange(live, changeOf(name, was)), changeOf(name, is)), []);
    });
});
