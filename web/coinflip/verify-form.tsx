import { NativeSelect, TextInput } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FlipGame, readFlipHistory } from '#contract/coinflip.ts';
import { formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { RevealNotice } from './reveal-notice.tsx';
import { Verdict } from './verdict.tsx';
import { canVerify, type Seeds } from './verify.ts';
import styles from './verify-page.module.css';

type Fields = { serverSeed: string; serverSeedHash: string; clientSeed: string; nonce: string };

const noFields: Fields = { serverSeed: '', serverSeedHash: '', clientSeed: '', nonce: '' };

const fieldsOf = ({ fairness }: FlipGame): Fields => ({
  serverSeed: fairness.serverSeed ?? '',
  serverSeedHash: fairness.serverSeedHash,
  clientSeed: fairness.clientSeed,
  nonce: String(fairness.nonce),
});

/** A form for the seeds of a game, typed or chosen from the member's games, with the computed result. */
export function VerifyForm({ isMember }: { isMember: boolean }) {
  const search = useSearch({ from: '/member/coin-flip/verify' });
  const games = useRead(readFlipHistory, {}, { enabled: isMember });
  const [chosen, setChosen] = useState(search.game ?? '');
  const [typed, setTyped] = useState<Fields>({
    serverSeed: search.serverSeed ?? '',
    serverSeedHash: search.serverSeedHash ?? '',
    clientSeed: search.clientSeed ?? '',
    nonce: search.nonce ?? '',
  });
  const game = games.data?.find(({ id }) => id === chosen);
  const fields = game === undefined ? typed : fieldsOf(game);
  const change = (part: Partial<Fields>) => {
    setChosen('');
    setTyped({ ...fields, ...part });
  };
  return (
    <div className={`card ${styles.form}`}>
      {isMember && (
        <GameChoice
          games={games.data ?? []}
          chosen={game?.id ?? ''}
          onChoose={(id) => {
            setChosen(id);
            if (id === '') setTyped(noFields);
          }}
        />
      )}
      {game !== undefined && game.fairness.serverSeed === null && <RevealNotice />}
      <SeedFields fields={fields} onChange={change} />
      <Outcome fields={fields} game={game} />
    </div>
  );
}

type GameChoiceProps = { games: FlipGame[]; chosen: string; onChoose: (id: string) => void };

function GameChoice({ games, chosen, onChoose }: GameChoiceProps) {
  const { t, i18n } = useTranslation();
  const options = games.map((game) => ({
    value: game.id,
    label: `${formatTime(game.createdAt, i18n.language)} · ${t(`coinflip.${game.result}`)} · ${game.betAmount} P`,
  }));
  return (
    <NativeSelect
      size="md"
      label={<FieldLabel text={t('coinflip.verify.choose')} />}
      data={[{ value: '', label: t('coinflip.verify.typed') }, ...options]}
      value={chosen}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  );
}

const isNonce = (text: string): boolean => /^(0|[1-9]\d{0,9})$/.test(text);

function SeedFields({ fields, onChange }: { fields: Fields; onChange: (part: Partial<Fields>) => void }) {
  const { t } = useTranslation();
  const shared = (name: keyof Fields) => ({
    value: fields[name],
    autoComplete: 'off',
    spellCheck: false,
    classNames: { input: styles.fieldInput ?? '' },
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      const text = event.currentTarget.value;
      // A client seed may contain spaces. Pasted hashes are trimmed.
      onChange({ [name]: name === 'clientSeed' ? text : text.trim() });
    },
  });
  return (
    <>
      <TextInput
        {...shared('serverSeed')}
        label={
          <FieldLabel text={t('coinflip.verify.serverSeed')} help={t('coinflip.verify.serverSeedHelp')} />
        }
        error={fieldError(
          fields.serverSeed !== '' && !/^[0-9a-f]{64}$/.test(fields.serverSeed)
            ? t('coinflip.verify.serverSeedWrong')
            : null,
        )}
      />
      <TextInput
        {...shared('serverSeedHash')}
        label={<FieldLabel text={t('coinflip.verify.seal')} help={t('coinflip.verify.optional')} />}
      />
      <TextInput {...shared('clientSeed')} label={<FieldLabel text={t('coinflip.clientSeed')} />} />
      <TextInput
        {...shared('nonce')}
        label={<FieldLabel text={t('coinflip.nonce')} help={t('coinflip.verify.nonceHelp')} />}
        inputMode="numeric"
        error={fieldError(
          fields.nonce !== '' && !isNonce(fields.nonce) ? t('coinflip.verify.nonceWrong') : null,
        )}
      />
    </>
  );
}

function Outcome({ fields, game }: { fields: Fields; game: FlipGame | undefined }) {
  const { t } = useTranslation();
  const { serverSeed, serverSeedHash, clientSeed, nonce } = fields;
  if (!canVerify()) return <p className={styles.verdict}>{t('coinflip.verify.unsupported')}</p>;
  const isWhole = /^[0-9a-f]{64}$/.test(serverSeed) && clientSeed !== '' && isNonce(nonce);
  const seeds: Seeds | null = isWhole ? { serverSeed, clientSeed, nonce: Number(nonce) } : null;
  return <Verdict seeds={seeds} seal={serverSeedHash.toLowerCase()} reportedSide={game?.result} />;
}
