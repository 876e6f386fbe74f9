import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { clientSeed as clientSeedRule, readFairness } from '#contract/coinflip.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './fairness-dialog.module.css';
import { GameList } from './game-list.tsx';
import { useRotation } from './use-rotation.ts';

const CLIENT_SEED_LENGTH_MAX = 64;

/** The fairness dialog: the seeds of the next game, their replacement, and the games that can be checked. */
export function FairnessDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const seeds = useRead(readFairness);
  const { rotate, isPending, revealed } = useRotation();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('coinflip.howFair')} width={560}>
      <p className={styles.lead}>{t('coinflip.fairLead')}</p>
      {seeds.isError ? (
        <ErrorState
          title={t('coinflip.seedsFailed')}
          text={t('coinflip.gamesFailedText')}
          requestId={requestIdOf(seeds.error)}
          onRetry={() => void seeds.refetch()}
        />
      ) : (
        <>
          <dl className={styles.facts}>
            <div>
              <dt>{t('coinflip.sealFull')}</dt>
              <dd>
                <span className="mono">{seeds.data?.serverSeedHash ?? '…'}</span>
                {seeds.data && <CopyButton text={seeds.data.serverSeedHash} label={t('coinflip.copySeal')} />}
              </dd>
            </div>
            <div>
              <dt>{t('coinflip.nonce')}</dt>
              <dd className="num">{seeds.data?.nonce ?? '…'}</dd>
            </div>
          </dl>
          {seeds.data && (
            <SeedForm clientSeed={seeds.data.clientSeed} isPending={isPending} onRotate={rotate} />
          )}
          <div role="status">
            {revealed !== undefined && (
              <div className={styles.revealed}>
                <p>{t('coinflip.revealed')}</p>
                <span className="mono">{revealed.serverSeed}</span>
                <CopyButton text={revealed.serverSeed} label={t('coinflip.copySeed')} />
              </div>
            )}
          </div>
        </>
      )}
      <div className={styles.gamesHead}>
        <h3>{t('coinflip.games')}</h3>
        <Link to="/coin-flip/verify" className="link small">
          {t('coinflip.toVerify')}
        </Link>
      </div>
      <GameList />
    </Dialog>
  );
}

type SeedFormProps = { clientSeed: string; isPending: boolean; onRotate: (clientSeed: string) => void };

/** The member's own seed. A new one also replaces the server seed, because part of the old pair may be known. */
function SeedForm({ clientSeed, isPending, onRotate }: SeedFormProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(clientSeed);
  const [error, setError] = useState<string | null>(null);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    const parsed = clientSeedRule.safeParse(typed);
    setError(parsed.success ? null : t('coinflip.clientSeedWrong', { max: CLIENT_SEED_LENGTH_MAX }));
    if (parsed.success) onRotate(parsed.data);
  };
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <TextInput
        label={<FieldLabel text={t('coinflip.clientSeed')} help={t('coinflip.clientSeedHelp')} />}
        value={typed}
        maxLength={CLIENT_SEED_LENGTH_MAX}
        autoComplete="off"
        spellCheck={false}
        error={fieldError(error)}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={isPending}>
        {t('coinflip.rotate')}
      </Button>
      <p className="caption dim">{t('coinflip.rotateText')}</p>
    </form>
  );
}
