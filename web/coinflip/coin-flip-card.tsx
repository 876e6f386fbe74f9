import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import clsx from 'clsx';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  BET_POINTS_MAX,
  BET_POINTS_MIN,
  type FlipStatus,
  readFairness,
  readFlipStatus,
  type Side,
} from '#contract/coinflip.ts';
import { readStats } from '#contract/ledger.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatAmount, shortenMiddle, toPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import styles from './coin-flip-card.module.css';
import { FlipStage } from './flip-stage.tsx';
import { SideChoice } from './side-choice.tsx';
import { StakeField } from './stake-field.tsx';
import { useFlip } from './use-flip.ts';

const FairnessDialog = lazy(() =>
  import('./fairness-dialog.tsx').then((file) => ({ default: file.FairnessDialog })),
);

const BET_DEFAULT = '10';

const isBet = (text: string): boolean =>
  /^\d{1,3}$/.test(text) && Number(text) >= BET_POINTS_MIN && Number(text) <= BET_POINTS_MAX;

/** The coin flip card: the prize, the stake, the side and the hash of the server seed of the next game. */
export function CoinFlipCard() {
  const { t } = useTranslation();
  const headingId = useId();
  // The daily limit may have been reset since this was cached.
  const status = useRead(readFlipStatus, {}, { refetchOnMount: 'always' });
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const hasFailed = status.isError && status.data === undefined;
  return (
    <section className={clsx('card', styles.card)} aria-labelledby={headingId}>
      <div className="card-head">
        <h2 id={headingId} tabIndex={-1}>
          {t('coinflip.title')}
        </h2>
        <button
          type="button"
          className="link small"
          aria-haspopup="dialog"
          onClick={() => {
            setOpened(true);
            setOpen(true);
          }}
        >
          {t('coinflip.howFair')}
        </button>
      </div>
      {hasFailed ? (
        <ErrorState
          title={t('coinflip.statusFailed')}
          text={t('coinflip.statusFailedText')}
          requestId={requestIdOf(status.error)}
          onRetry={() => void status.refetch()}
        />
      ) : (
        <Game status={status.data} headingId={headingId} />
      )}
      {wasOpened && (
        <Suspense>
          <FairnessDialog isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  );
}

type GameProps = { status: FlipStatus | undefined; headingId: string };

function Game({ status, headingId }: GameProps) {
  const { t } = useTranslation();
  const [side, setSide] = useState<Side>('heads');
  const [bet, setBet] = useState(BET_DEFAULT);
  const [isJudged, setJudged] = useState(false);
  // The pressed button is now disabled, so the focus moves to the card's heading.
  const { flip, isFlipping, played } = useFlip(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches('[data-flip]'))
      document.getElementById(headingId)?.focus({ preventScroll: true });
  });
  const isAtLimit = status !== undefined && !status.canPlay && !isFlipping;
  const isLocked = isFlipping || isAtLimit || status === undefined;
  const balance = useRead(readStats).data?.balance;
  const isShort = !isLocked && isBet(bet) && balance !== undefined && toPoints(balance) < BigInt(bet);
  const [isShortTold, setShortTold] = useState(false);
  const error =
    isJudged && !isBet(bet)
      ? t('coinflip.betRange')
      : isShort && isShortTold
        ? t('coinflip.insufficient')
        : undefined;

  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isLocked) return;
    setJudged(true);
    setShortTold(isShort);
    if (isBet(bet) && !isShort) void flip({ betAmount: Number(bet), playerChoice: side });
    else event.currentTarget.querySelector<HTMLInputElement>('[name=bet]')?.focus();
  };
  const label = () => {
    if (isFlipping) return t('coinflip.flipping');
    if (isAtLimit) return t('coinflip.limit');
    if (isShort) return t('coinflip.insufficient');
    return isBet(bet) ? t('coinflip.flipFor', { amount: formatAmount(bet) }) : t('coinflip.flip');
  };
  return (
    <form className="card-body" onSubmit={submit} noValidate>
      <FlipStage status={status} side={side} isFlipping={isFlipping} played={played} />
      <SideChoice side={side} onChange={setSide} isDisabled={isFlipping || isAtLimit} />
      <StakeField
        bet={bet}
        error={error}
        isDisabled={isFlipping || isAtLimit}
        onChange={(text) => {
          setBet(text);
          setJudged(true);
          setShortTold(false);
        }}
      />
      <Button
        type="submit"
        fullWidth
        data-flip
        disabled={isAtLimit || status === undefined}
        {...(isFlipping || isShort ? { 'data-disabled': true, 'aria-disabled': true } : {})}
      >
        <span className="num">{label()}</span>
      </Button>
      <Seal />
    </form>
  );
}

/** The hash of the server seed of the next game, shown before it is played. */
function Seal() {
  const { t } = useTranslation();
  const seal = useRead(readFairness).data?.serverSeedHash;
  return (
    <p className={styles.seal}>
      <IconLock size={16} stroke={2} aria-hidden="true" />
      <span>
        {t('coinflip.seal')} <span className="mono">{seal === undefined ? '…' : shortenMiddle(seal)}</span>
      </span>
    </p>
  );
}
