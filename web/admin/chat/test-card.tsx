import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconMessageX } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { testMessage } from '#contract/chat-moderation.ts';
import { MESSAGE_CHARACTERS_MAX } from '#contract/message.ts';
import { useRead } from '#web/client/use-call.ts';
import styles from './words-and-bans.module.css';

const TYPING_PAUSE_MS = 200;

/** Tries a message: whether it would be stopped, by which word, and how it was read. Nothing is sent or counted. */
export function TestCard() {
  const { t } = useTranslation();
  const [message, setMessage] = useState('');
  const [tried] = useDebouncedValue(message.trim(), TYPING_PAUSE_MS);
  const { data } = useRead(
    testMessage,
    { query: { text: tried } },
    { enabled: tried !== '', placeholderData: keepPreviousData },
  );
  const isShown = message.trim() !== '' && tried !== '' && data !== undefined;
  return (
    <section className={`card ${styles.padded}`}>
      <h2>{t('chatModeration.test.title')}</h2>
      <TextInput
        className={styles.tried}
        label={t('chatModeration.test.label')}
        value={message}
        maxLength={MESSAGE_CHARACTERS_MAX}
        autoComplete="off"
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <div role="status">
        {isShown ? <Verdict {...data} /> : <p className={styles.note}>{t('chatModeration.test.hint')}</p>}
      </div>
    </section>
  );
}

/** The word's place in the message as it was read, if it stands there as it is written. */
function splitAt(readAs: string, word: string): [before: string, found: string, after: string] {
  const at = readAs.toLowerCase().indexOf(word.toLowerCase());
  if (at < 0) return [readAs, '', ''];
  return [readAs.slice(0, at), readAs.slice(at, at + word.length), readAs.slice(at + word.length)];
}

function Verdict({ word, readAs }: { word: string | null; readAs: string }) {
  const { t } = useTranslation();
  if (word === null)
    return (
      <p className={styles.note} data-tone="ok">
        <IconCheck size={20} stroke={1.75} aria-hidden="true" />
        <span>
          <b>{t('chatModeration.test.sent')}</b> {t('chatModeration.test.readAs', { readAs })}
        </span>
      </p>
    );
  const [before, found, after] = splitAt(readAs, word);
  return (
    <p className={styles.note} data-tone="bad">
      <IconMessageX size={20} stroke={1.75} aria-hidden="true" />
      <span>
        <b>{t('chatModeration.test.blocked')}</b> {t('chatModeration.test.by', { word, before })}
        <b>{found}</b>
        {t('chatModeration.test.end', { after })}
      </span>
    </p>
  );
}
