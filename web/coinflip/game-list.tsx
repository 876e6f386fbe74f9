import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readFlipHistory } from '#contract/coinflip.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatAmount, formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { Amount } from '#web/ui/amount.tsx';
import { Coin } from '#web/ui/coin.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import styles from './game-list.module.css';

const SHOWN_GAMES = 10;

/** The member's newest games, each with a link to check it. */
export function GameList() {
  const { t, i18n } = useTranslation();
  const games = useRead(readFlipHistory);
  if (games.isPending) return <SkeletonRows count={3} />;
  if (games.isError)
    return (
      <ErrorState
        title={t('coinflip.gamesFailed')}
        text={t('coinflip.gamesFailedText')}
        requestId={requestIdOf(games.error)}
        onRetry={() => void games.refetch()}
      />
    );
  if (games.data.length === 0)
    return <EmptyState title={t('coinflip.noGames')} text={t('coinflip.noGamesText')} />;
  return (
    <ul className={styles.games}>
      {games.data.slice(0, SHOWN_GAMES).map((game) => (
        <li key={game.id}>
          <Coin side={game.result} size={32} />
          <div>
            <p className={styles.title}>
              {t('coinflip.gameRow', {
                side: t(`coinflip.${game.result}`),
                choice: t(`coinflip.inText.${game.playerChoice}`),
                amount: formatAmount(game.betAmount),
              })}
            </p>
            <p className={styles.meta}>
              <time dateTime={game.createdAt}>{formatTime(game.createdAt, i18n.language)}</time>
              {' · '}
              <Link to="/coin-flip/verify" search={{ game: game.id }} className="link">
                {t('coinflip.check')}
                <span className="visually-hidden"> {t('coinflip.checkNumber', { id: game.id })}</span>
              </Link>
            </p>
          </div>
          <Amount points={String(game.winAmount - game.betAmount)} signed />
        </li>
      ))}
    </ul>
  );
}
