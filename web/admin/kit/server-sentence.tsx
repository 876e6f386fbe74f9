import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { fillSentence, operatorSentences, type SentenceName } from '#contract/operator-sentences.ts';
import { commaPlaces, formatPoints, formatTimeInFull } from '#web/client/format.ts';
import { InlineCommand } from './command-line.tsx';
import { koreanSentences } from './korean-sentences.ts';
import { readSentences, type SentencePart, times } from './read-sentences.ts';
import { useRefusalWords } from './use-refusal-words.ts';

type ServerSentenceProps = {
  text: string;
  /** Sentences that the screen says in another form beside it. */
  leftOut?: readonly SentenceName[];
  /** Where nothing can be pressed, such as in a row of a list: a command in it is text. */
  isPlain?: true;
};

/**
 * A text of the server for operators. The server's own sentences are in the language of the screen, with its numbers
 * and times, and a command in it can be copied. The words of others are as they came.
 */
export function ServerSentence({ text, leftOut = [], isPlain }: ServerSentenceProps) {
  const { i18n } = useTranslation();
  const refusalWords = useRefusalWords();
  const { language } = i18n;
  const shown = readSentences(text).filter(
    (part) => part.kind !== 'sentence' || !leftOut.includes(part.name),
  );
  const shownOf = (part: Exclude<SentencePart, { kind: 'foreign' }>) =>
    part.kind === 'refusal' ? refusalWords(part.code) : writtenOf(part, language);
  return (
    <span>
      {shown.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name, and none has a state
        <Fragment key={index}>
          {index > 0 && ' '}
          {part.kind === 'foreign' ? (
            <span lang="en">{part.text}</span>
          ) : (
            <Written text={shownOf(part)} isPlain={isPlain} />
          )}
        </Fragment>
      ))}
    </span>
  );
}

/** A sentence of ours, with the commands that stand between backticks in it. */
function Written({ text, isPlain }: { text: string; isPlain: true | undefined }) {
  if (isPlain) return text.replaceAll('`', '');
  return text.split('`').map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no other name, and the text is the same for long
    index % 2 === 0 ? piece : <InlineCommand key={index} command={piece} />,
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
