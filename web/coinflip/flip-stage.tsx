import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import type { FlipStatus, Side } from '#contract/coinflip.ts';
import { formatAmount } from '#web/client/format.ts';
import { Coin } from '#web/ui/coin.tsx';
import styles from './flip-stage.module.css';
import type { Played } from './use-flip.ts';

type FlipStageProps = {
  status: FlipStatus | undefined;
  side: Side;
  isFlipping: boolean;
  played: Played | null;
};

/** The coin, with the prize or the result as text. */
export function FlipStage({ status, side, isFlipping, played }: FlipStageProps) {
  const isAtLimit = status !== undefined && !status.canPlay && !isFlipping && played === null;
  return (
    <div className={styles.stage}>
      <div
        className={clsx(styles.coin, isFlipping && styles.turning, isAtLimit && styles.grey)}
        data-won={played?.isWin || undefined}
      >
        {isFlipping ? (
          <>
            <Coin side="heads" />
            <Coin side="tails" />
          </>
        ) : (
          <Coin side={played?.result ?? side} />
        )}
      </div>
      <div className={styles.words}>
        <Words status={status} isFlipping={isFlipping} played={played} />
      </div>
    </div>
  );
}

function Words({ status, isFlipping, played }: Omit<FlipStageProps, 'side'>) {
  const { t } = useTranslation();
  if (status === undefined)
    return (
      <div role="status" aria-busy="true">
        <span className="visually-hidden">{t('common.loading')}</span>
        <span className={styles.bar} />
        <span className={styles.bar} style={{ width: '60%' }} />
      </div>
    );
  if (isFlipping) return <p className={styles.title}>{t('coinflip.flipping')}</p>;
  if (played !== null) return <Result played={played} status={status} />;
  if (!status.canPlay)
    return (
      <>
        <p className={styles.title}>{t('coinflip.limit')}</p>
        <p className="small dim">{t('coinflip.limitText', { count: status.maxGamesPerDay })}</p>
      </>
    );
  return (
    <>
      <p className={styles.title}>{t('coinflip.odds')}</p>
      <GamesLeft status={status} />
    </>
  );
}

function Result({ played, status }: { played: Played; status: FlipStatus }) {
  const { t } = useTranslation();
  const side = t(`coinflip.${played.result}`);
  return (
    <>
      <p className={styles.title}>
        {played.isWin
          ? t('coinflip.won', { side, amount: formatAmount(played.winAmount) })
          : t('coinflip.lost', { side, amount: formatAmount(played.betAmount) })}
      </p>
      <GamesLeft status={status} />
      <Link to="/coin-flip/verify" search={{ game: played.id }} className="link small">
        {t('coinflip.checkThis')}
      </Link>
    </>
  );
}

const DOTS_MAX = 10;

/** The games left today, as text and as dots. */
function GamesLeft({ status }: { status: FlipStatus }) {
  const { t } = useTranslation();
  const { remainingGames, maxGamesPerDay } = status;
  return (
    <>
      <p className="small dim num">{t('coinflip.left', { left: remainingGames, max: maxGamesPerDay })}</p>
      {maxGamesPerDay <= DOTS_MAX && (
        <span className={styles.dots} aria-hidden="true">
          {Array.from({ length: maxGamesPerDay }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the dots are identical and keep their order.
            <i key={index} data-used={index >= remainingGames || undefined} />
          ))}
        </span>
      )}
    </>
  );
}
