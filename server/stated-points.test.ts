import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { HOLD_POINTS_MIN, POINTS_PER_USD, REFERRAL_POINTS, WITHDRAWAL_POINTS_MIN } from '#contract/points.ts';
import { sql } from '#platform/database.ts';
import { testDatabase } from '../test/database.ts';

/** SQL functions, words and Markdown repeat amounts of `contract/points.ts`. Each repetition must be the same. */
const { owner } = await testDatabase({ after });
const root = resolve(import.meta.dirname, '..');

/** Each repetition in words and Markdown. The amount of the rule replaces `#`. */
const stated: [rule: bigint, phrases: Record<string, readonly string[]>][] = [
  [
    POINTS_PER_USD,
    {
      'web/landing/words.en.json': ['"# P = $1"'],
      'web/landing/words.ko.json': ['"# P = $1"', '#포인트는 1달러입니다', '첫 #포인트가\\n1달러입니다'],
      'web/landing/hero.tsx': ['<span># P</span>'],
      'web/admin/ledger/words.en.json': ['at # P a dollar'],
      'web/admin/ledger/words.ko.json': ['# P를 1달러로'],
      'web/withdrawals/words.en.json': ['{dollars} at # P = $1'],
      'web/withdrawals/words.ko.json': ['{dollars}, # P = $1'],
      'web/content/en/faq.md': ['# points are 1 US dollar'],
      'web/content/ko/faq.md': ['#포인트는 언제나 1달러'],
      'web/content/en/terms.md': ['# points are 1 US dollar', 'at # points per dollar'],
      'web/content/ko/terms.md': ['#포인트는 1달러', '#포인트를 1달러로'],
      'web/content/ko/about.md': ['#포인트는 1달러'],
    },
  ],
  [
    WITHDRAWAL_POINTS_MIN,
    {
      'web/withdrawals/words.en.json': ['From # P you can ask for your first one'],
      'web/withdrawals/words.ko.json': ['# P부터 신청할 수 있습니다'],
      'web/content/en/faq.md': ['From # P, with a verified phone'],
      'web/content/ko/faq.md': ['인증하고 # P부터'],
      'web/content/en/terms.md': ['at least # points, or the minimum'],
      'web/content/ko/terms.md': ['#포인트 이상 있어야'],
      'web/content/en/help.md': ['Have # P or more'],
      'web/content/ko/help.md': ['# P 이상 모읍니다'],
    },
  ],
  [
    HOLD_POINTS_MIN,
    {
      'web/earning/words.en.json': ['From # P a person looks first'],
      'web/earning/words.ko.json': ['# P부터는 사람이 먼저 확인'],
      'web/admin/earning/words.en.json': ['A single credit of # points or more'],
      'web/admin/earning/words.ko.json': ['한 번에 #포인트 이상인 적립'],
      'web/admin/postbacks/words.en.json': ['From # P on it waits for an approval'],
      'web/admin/postbacks/words.ko.json': ['# P부터는 승인을 기다립니다'],
      'web/content/en/faq.md': ['A single credit of # points or more'],
      'web/content/ko/faq.md': ['한 번에 #포인트 이상인 적립'],
      'web/content/en/terms.md': ['A single credit of # points or more'],
      'web/content/ko/terms.md': ['한 번에 #포인트 이상인 적립'],
    },
  ],
  [
    REFERRAL_POINTS,
    {
      'web/content/en/faq.md': ['# points when a friend'],
      'web/content/ko/faq.md': ['적립받으면 #포인트를'],
      'web/content/en/terms.md': ['The reward of # points'],
      'web/content/ko/terms.md': ['초대 보상 #포인트'],
    },
  ],
];

const grouped = (points: bigint): string => points.toLocaleString('en-US');

/** The texts without the phrases of the rules, and the phrases that are missing. */
function withoutPhrases(texts: ReadonlyMap<string, string>): {
  left: Map<string, string>;
  missing: string[];
} {
  const left = new Map(texts);
  const missing: string[] = [];
  for (const [rule, phrases] of stated)
    for (const [path, among] of Object.entries(phrases))
      for (const phrase of among) {
        const filled = phrase.replace('#', grouped(rule));
        const text = left.get(path) ?? '';
        if (text.includes(filled)) left.set(path, text.replaceAll(filled, ''));
        else missing.push(`${path}: ${filled}`);
      }
  return { left, missing };
}

/** Mentions of a rule's amount in points that no phrase covers. */
function otherMentions(texts: ReadonlyMap<string, string>): string[] {
  const amounts = [...new Set(stated.map(([rule]) => grouped(rule)))].join('|');
  const mention = new RegExp(`(?<![\\d,~–])(?:${amounts})(?: P\\b| points| ?포인트)`, 'g');
  return [...texts].flatMap(([path, text]) =>
    (text.match(mention) ?? []).map((found) => `${path}: ${found}`),
  );
}

describe('the amounts of points', () => {
  const paths = globSync('web/**/{words.*.json,*.md,*.tsx}', { cwd: root });
  const texts = new Map(paths.map((path) => [path, readFileSync(resolve(root, path), 'utf8')]));
  it('§2-9 points in texts: are the same in words and Markdown', () =>
    assert.deepEqual(withoutPhrases(texts).missing, []));
  it('appear only in the listed phrases', () =>
    assert.deepEqual(otherMentions(withoutPhrases(texts).left), []));
  it('find a phrase with another amount', () => {
    const changed = new Map(texts).set('web/content/en/help.md', 'Have 2,000 P or more. Or 10,000 points.');
    const { left, missing } = withoutPhrases(changed);
    assert.deepEqual(missing, ['web/content/en/help.md: Have 1,000 P or more']);
    assert.deepEqual(otherMentions(left), ['web/content/en/help.md: 10,000 points']);
  });
  it('are the same in SQL', async () => {
    const rules = await owner.one<{ holdPoints: bigint; referralPoints: bigint }>(sql`
      select earning.hold_points() as "holdPoints", referrals.reward_points() as "referralPoints"`);
    assert.deepEqual(rules, { holdPoints: HOLD_POINTS_MIN, referralPoints: REFERRAL_POINTS });
    const { floorPoints } = await owner.one<{ floorPoints: bigint }>(sql`
      insert into withdrawals.methods (method) values ('probe') returning floor_points as "floorPoints"`);
    assert.equal(floorPoints, WITHDRAWAL_POINTS_MIN);
  });
});
