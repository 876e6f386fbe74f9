import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { acts } from '#contract/acts.ts';
import english from './words.en.json' with { type: 'json' };
import korean from './words.ko.json' with { type: 'json' };

type Names = Record<string, Record<string, string>>;

describe('the names of acts', () => {
  for (const [language, names] of Object.entries<Names>({ english: english.acts, korean: korean.acts }))
    it(`are there for every act, each once, and for no other: ${language}`, () => {
      const named = Object.entries(names).flatMap(([subject, verbs]) =>
        Object.keys(verbs).map((verb) => `${subject}.${verb}`),
      );
      assert.deepEqual(named.sort(), [...acts].sort());
      const texts = Object.values(names).flatMap((verbs) => Object.values(verbs));
      assert.equal(new Set(texts).size, texts.length);
      for (const text of texts) assert.match(text, language === 'korean' ? /[가-힣]/ : /^[A-Z]/);
    });
});
