import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { operatorSentences } from '#contract/operator-sentences.ts';
import { isTest, planted, readTree, root, type Source } from './source-tree.ts';
import { literalsOf } from './syntax.ts';

/**
 * What the server tells operators about payouts is declared in `contract/operator-sentences.ts`, so that the web shows
 * it in their language. A literal that begins with a capital letter and ends like a sentence is such a text.
 */
const sentenceForm = /^(?:\$1|[A-Z][\w’]*) .*[.:]$/s;

/** Texts that no operator's screen shows, or that it shows by a code of their own. */
const otherTexts: Record<string, string> = {
  'server/withdrawals/decision-refusals.ts: This withdrawal $1.': 'a refusal, shown by its code',
  'server/withdrawals/rates.ts: No rate of this currency waits.': 'a refusal, shown by its code',
  'server/withdrawals/withdrawals.ts: Minimum withdrawal amount for $1 is $1 points.':
    'for members, by its code',
  'server/withdrawals/withdrawals.ts: Maximum withdrawal amount for $1 is $1 points.':
    'for members, by its code',
  'server/withdrawals/withdrawals.ts: Cancelled by the member.': 'a reason that is stored with its code',
  'server/withdrawals/withdrawals.ts: This withdrawal was $1 already.': 'a refusal, shown by its code',
};

const isOfCommandLine = (path: string): boolean => path.endsWith('-command.ts');

const undeclared = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => /^server\/withdrawals\//.test(path) && !isTest(path) && !isOfCommandLine(path))
    .flatMap((source) =>
      literalsOf(source)
        .filter(({ text }) => sentenceForm.test(text))
        .map(({ text }) => `${source.path}: ${text}`),
    )
    .filter((place) => otherTexts[place] === undefined);

const sources = readTree(join(root, 'server')).filter(({ path }) => path.endsWith('.ts'));

describe('the sentences for operators', () => {
  it('about payouts are declared in the contract', () => assert.deepEqual(undeclared(sources), []));

  it('are all used', () => {
    const code = sources.map(({ text }) => text).join('\n');
    const composed = [/^ceiling-of-/, /^(payout|request)-possibly-paid$/];
    const unused = Object.keys(operatorSentences).filter(
      (name) => !code.includes(`'${name}'`) && !composed.some((form) => form.test(name)),
    );
    assert.deepEqual(unused, []);
  });

  it('are the only exemptions that the list needs', () => {
    const found = sources.flatMap((source) =>
      literalsOf(source).map(({ text }) => `${source.path}: ${text}`),
    );
    assert.deepEqual(
      Object.keys(otherTexts).filter((place) => !found.includes(place)),
      [],
    );
  });
});

describe('the guard of sentences', () => {
  for (const text of [
    "postpone(turn, payout, 'It waits for nothing.');",
    `postpone(turn, payout, \`It waits for \${id}.\`);`,
  ])
    it(`refuses ${text}`, () =>
      assert.equal(undeclared(planted('server/withdrawals/payouts.ts', text)).length, 1));
  for (const text of ["log.warn({}, 'a payout waits');", "sentence('node-busy')"])
    it(`allows ${text}`, () =>
      assert.deepEqual(undeclared(planted('server/withdrawals/payouts.ts', text)), []));
});
