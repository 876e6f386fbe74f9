import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitsFor as waitReasons } from '#contract/withdrawals-restrictions.ts';
import { withdrawalStateOf } from '#web/ui/withdrawal-state.ts';
import { type Words, wordAt, wordsOf } from '../../test/words.ts';

/** Each state of a withdrawal has one word: on the member's pages, in notices, in the queue and in the audit trail. */
const payoutStates = ['queued', 'signed', 'broadcast', 'confirmed', 'parked', 'failed'] as const;
const same: Record<string, readonly string[]> = {
  'withdrawalStatus.pending': [
    'queue.choices.status.pending',
    'queue.totals.pending',
    'auditTrail.values.pending',
  ],
  'withdrawalStatus.approved': ['queue.choices.status.approved', 'auditTrail.values.approved'],
  'withdrawalStatus.rejected': ['queue.choices.status.rejected', 'auditTrail.values.rejected'],
  'withdrawalStatus.held': ['queue.sheet.held'],
  'withdrawalStatus.troubled': ['payouts.choices.trouble.troubled'],
  'withdrawalStatus.paused': ['payouts.choices.trouble.paused'],
  ...Object.fromEntries(
    payoutStates.map((state) => {
      const others = [`auditTrail.values.${state}`, `payouts.choices.state.${state}`];
      return [`payoutState.${state}`, others] as const;
    }),
  ),
};

/** Titles that say the state together with what it is the state of. */
const within: Record<string, readonly string[]> = {
  'payoutState.confirmed': [
    'auditTrail.values.paid',
    'notices.title.paid',
    'notices.mail.kinds.paid',
    'member.lines.withdrawal-paid',
  ],
  'withdrawalStatus.approved': ['member.lines.withdrawal-approved', 'acts.withdrawal.approve'],
  'withdrawalStatus.rejected': [
    'notices.title.rejected-withdrawal',
    'notices.mail.kinds.rejected',
    'member.lines.withdrawal-rejected',
    'acts.withdrawal.reject',
  ],
  'payoutState.failed': ['notices.title.failed-withdrawal'],
  'payoutState.parked': ['overview.waiting.kinds.parkedPayouts', 'payouts.totals.parked'],
};

const textsOf = (words: Words | string): string[] =>
  typeof words === 'string' ? [words] : Object.values(words).flatMap(textsOf);
const textAt = (words: Words, key: string): string => {
  const text = wordAt(words, key);
  assert.ok(typeof text === 'string', key);
  return text;
};

describe('the names of the settings of the site', () => {
  for (const language of ['en', 'ko'] as const)
    it(`are those of the settings screen in the audit trail, in ${language}`, () => {
      const words = wordsOf(language);
      const fields = wordAt(words, 'siteSettings.fields') as Words;
      for (const name of Object.keys(fields))
        assert.equal(textAt(words, `auditTrail.fields.${name}`), textAt(fields, name), name);
    });
});

describe('the words of a withdrawal', () => {
  for (const language of ['en', 'ko'] as const) {
    const words = wordsOf(language);
    it(`say each state by one word, in ${language}`, () => {
      for (const [key, others] of Object.entries(same))
        for (const other of others) assert.equal(textAt(words, other), textAt(words, key), other);
      for (const [key, titles] of Object.entries(within))
        for (const title of titles) {
          const word = textAt(words, key).toLowerCase();
          assert.ok(textAt(words, title).toLowerCase().includes(word), `${title} has no “${word}”`);
        }
    });
    it(`say by no other state's word what a request waits for, in ${language}`, () => {
      for (const waitsFor of waitReasons.options) {
        const sentence = textAt(words, `withdrawals.next.${waitsFor}`).toLowerCase();
        const { word: own } = withdrawalStateOf({
          status: 'pending',
          payoutState: 'none',
          txId: null,
          waitsFor,
        });
        for (const state of ['held', 'stopped', 'paused'] as const) {
          const word = textAt(words, `withdrawalStatus.${state}`).toLowerCase();
          assert.ok(own.endsWith(`.${state}`) || !sentence.includes(word), `${waitsFor}: ${sentence}`);
        }
      }
    });
    it(`say different states by different words, in ${language}`, () => {
      const { payoutState, withdrawalStatus } = words as { payoutState: Words; withdrawalStatus: Words };
      const all = [payoutState, withdrawalStatus].flatMap(textsOf);
      assert.equal(new Set(all).size, all.length);
    });
  }
  it('name a request by one Korean word', () => {
    const { withdrawals, queue, notices } = wordsOf('ko');
    for (const text of [withdrawals, queue, notices].flatMap((section) => textsOf(section ?? {})))
      assert.doesNotMatch(text, /요청/);
  });
  it('tell members nothing of a parked payout but that it is delayed', () => {
    const { withdrawals, withdrawalStatus, payoutState, notices } = wordsOf('en');
    const sections = [withdrawals, withdrawalStatus, payoutState, notices];
    for (const text of sections.flatMap((section) => textsOf(section ?? {})))
      assert.doesNotMatch(text, /parked/i);
  });
});
