import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  addBannedWord,
  BANNED_WORD_MAX,
  type BannedWord,
  readBannedWords,
  removeBannedWord,
} from '#contract/chat-moderation.ts';
import { CardPager, CardTable, cells } from '#web/admin/kit/card-table.tsx';
import { useFaults, useFieldMessages } from '#web/admin/kit/use-faults.ts';
import { useFirstRow, useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatDay, formatPoints } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { ReadState } from '#web/ui/read-state.tsx';
import { toast } from '#web/ui/toast.tsx';
import { DisguisesCard } from './disguises-card.tsx';
import { TestCard } from './test-card.tsx';
import styles from './words-and-bans.module.css';

/** The banned words, a message to try them with, and the disguises of the newest one. */

const POLL_MS = 30_000;

export function WordsTab() {
  const newest = useFirstRow<BannedWord>(readBannedWords, {}, POLL_MS).data?.rows[0];
  return (
    <div className={styles.words}>
      <div className="card">
        <WordForm />
        <WordTable />
      </div>
      <div className={styles.tests}>
        <TestCard />
        {newest !== undefined && <DisguisesCard key={newest.id} word={newest.word} />}
      </div>
    </div>
  );
}

/** Why a word was not added. A word that reads alike may be written differently, so it is named. */
function useWordFailure() {
  const { t, i18n } = useTranslation();
  const refusalWords = useRefusalWords();
  const messagesOf = useFieldMessages();
  return (error: ApiError): string => {
    const { code, problem } = error;
    if (code === 'invalid-request') return messagesOf(error).word ?? refusalWords(code);
    const { word, since } = { ...problem } as Record<string, unknown>;
    if (code !== 'already-exists' || typeof word !== 'string' || typeof since !== 'string')
      return refusalWords(code);
    return t('chatModeration.words.already', { word, day: formatDay(since, i18n.language) });
  };
}

function WordForm() {
  const { t } = useTranslation();
  const failureOf = useWordFailure();
  const adding = useAct(addBannedWord);
  const { ref, faults, show, clear } = useFaults<'word'>();
  const [word, setWord] = useState('');
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (word.trim() === '' || adding.isPending) return;
    clear();
    adding.mutate(
      { body: { word: word.trim() } },
      {
        onSuccess: (added) => {
          setWord('');
          toast.ok(t('chatModeration.words.added', { word: added.word }));
        },
        onError: (error) => {
          if (error.code === 'already-exists' || error.code === 'invalid-request')
            show({ word: failureOf(error) });
          toast.bad(failureOf(error), t('chatModeration.words.failed'));
        },
      },
    );
  };
  return (
    <form ref={ref} className={styles.add} onSubmit={submit}>
      <TextInput
        label={
          <FieldLabel
            text={t('chatModeration.words.label')}
            help={t('chatModeration.words.help', { max: BANNED_WORD_MAX })}
          />
        }
        value={word}
        maxLength={BANNED_WORD_MAX}
        error={fieldError(faults.word)}
        autoComplete="off"
        onChange={(event) => {
          setWord(event.currentTarget.value);
          clear();
        }}
      />
      <Button type="submit" className={styles.tall} disabled={word.trim() === ''} loading={adding.isPending}>
        {t('chatModeration.words.add')}
      </Button>
    </form>
  );
}

function WordTable() {
  const { t } = useTranslation();
  const state = useOperatorList<BannedWord>(readBannedWords, { pollMs: POLL_MS });
  const { read, rows } = state;
  if (read.data === undefined) return <ReadState read={read} rows={4} />;
  if (rows.length === 0)
    return (
      <EmptyState title={t('chatModeration.words.empty.title')} text={t('chatModeration.words.empty.text')} />
    );
  return (
    <>
      <CardTable
        isCompact
        columns={[
          { label: t('chatModeration.words.columns.word') },
          { label: t('chatModeration.words.columns.added') },
          { label: t('chatModeration.words.columns.blocked'), isFigure: true },
          { label: t('chatModeration.words.remove'), isUnseen: true },
        ]}
      >
        {rows.map((row) => (
          <WordRow key={row.id} row={row} />
        ))}
      </CardTable>
      <CardPager label={t('chatModeration.words.pages')} state={state} />
    </>
  );
}

function WordRow({ row }: { row: BannedWord }) {
  const { t, i18n } = useTranslation();
  const refusalWords = useRefusalWords();
  const removing = useAct(removeBannedWord);
  const remove = () =>
    removing.mutate(
      { params: { id: row.id } },
      {
        onSuccess: () => toast.ok(t('chatModeration.words.removed', { word: row.word })),
        onError: ({ code }) => toast.bad(refusalWords(code), t('chatModeration.words.removeFailed')),
      },
    );
  const day = formatDay(row.createdAt, i18n.language);
  return (
    <tr>
      <td className={styles.word}>
        <bdi>{row.word}</bdi>
      </td>
      <td className="dim">{row.createdBy === null ? day : `${day} · ${row.createdBy}`}</td>
      <td className={cells.figure} data-label={t('chatModeration.words.columns.blocked')}>
        <span className="num">{formatPoints(row.blockedCount)}</span>
      </td>
      <td className={cells.figure}>
        <Button
          variant="default"
          size="sm"
          loading={removing.isPending}
          aria-label={t('chatModeration.words.removeWord', { word: row.word })}
          onClick={remove}
        >
          {t('chatModeration.words.remove')}
        </Button>
      </td>
    </tr>
  );
}
