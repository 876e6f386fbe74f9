import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { fillSentence, operatorSentences } from '#contract/operator-sentences.ts';
import { commaPlaces, formatPoints, formatTimeInFull } from '#web/client/format.ts';
import { koreanSentences } from './korean-sentences.ts';
import { readSentences, type SentencePart, times } from './read-sentences.ts';
import { useRefusalWords } from './use-refusal-words.ts';

/**
 * A text of the server for operators. The server's own sentences are in the language of the screen, with its numbers
 * and times. The words of others are as they came.
 */
export function ServerSentence({ text }: { text: string }) {
  const { i18n } = useTranslation();
  const refusalWords = useRefusalWords();
  const { language } = i18n;
  const shownOf = (part: Exclude<SentencePart, { kind: 'foreign' }>) =>
    part.kind === 'refusal' ? refusalWords(part.code) : writtenOf(part, language);
  return (
    <span>
      {readSentences(text).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name, and none has a state
        <Fragment key={index}>
          {index > 0 && ' '}
          {part.kind === 'foreign' ? <span lang="en">{part.text}</span> : shownOf(part)}
        </Fragment>
      ))}
    </span>
  );
}

function writtenOf({ name, values }: Extract<SentencePart, { kind: 'sentence' }>, language: string): string {
  const text = language === 'ko' ? koreanSentences[name] : operatorSentences[name];
  const entries = Object.entries(values).map(([key, value]) => [key, valueIn(language, key, value)]);
  return fillSentence(text, Object.fromEntries(entries));
}

function valueIn(language: string, key: string, value: string): string {
  if (key.endsWith('Points')) return formatPoints(value);
  if (key.endsWith('Count')) return value.replace(commaPlaces, ',');
  return value.replaceAll(times, (time) => formatTimeInFull(time, language));
}
