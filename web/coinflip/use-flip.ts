import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { playCoinFlip, readFlipStatus, type Side } from '#contract/coinflip.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { type ApiError, call, isApiError } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';
import { holdNews } from '#web/client/held-news.ts';
import { isOutcomeUnknown, newIdempotencyKey } from '#web/client/idempotency-key.ts';
import { keyOf, refreshAfter, refreshTopics } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

/** The duration of the animation. It doesn't depend on how fast the server answers. */
const FLIP_MS = 2_000;

export type Played = ReplyOf<typeof playCoinFlip>;
export type Flip = { betAmount: number; playerChoice: Side };

/**
 * Plays one game: idle, then flipping for two seconds, then the result with a toast. Changes of the balance are
 * applied after the animation. All tries of one attempt share an idempotency key until its outcome is known, so
 * pressing again after a lost answer returns the same game.
 */
export function useFlip(onLimit: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isFlipping, setFlipping] = useState(false);
  const [played, setPlayed] = useState<Played | null>(null);
  const attempt = useRef<{ key: string; body: string } | null>(null);

  const fail = (error: unknown) => {
    if (!isOutcomeUnknown(error)) attempt.current = null;
    if (isApiError(error) && error.code === 'daily-limit-reached') {
      const max =
        client.getQueryData<ReplyOf<typeof readFlipStatus>>(keyOf(readFlipStatus, {}))?.maxGamesPerDay ?? 5;
      toast.bad(t('coinflip.limitText', { count: max }), t('coinflip.limit'));
      void client.invalidateQueries({ queryKey: keyOf(readFlipStatus) });
      onLimit();
      return;
    }
    // The balance may have been spent in another tab.
    if (isApiError(error) && error.code === 'insufficient-balance') void refreshTopics(client, ['balance']);
    toast.bad(isApiError(error) ? t(sentenceOf(error)) : t('coinflip.failed'), t('coinflip.error'));
  };
  const showResult = async (game: Played) => {
    const [status] = await Promise.allSettled([
      client.fetchQuery({
        queryKey: keyOf(readFlipStatus, {}),
        queryFn: () => call(readFlipStatus),
        staleTime: 0,
      }),
      refreshAfter(client, playCoinFlip),
    ]);
    // If the status can't be read, the card shows that; the toast still shows the result.
    const remaining = status.status === 'fulfilled' ? status.value.remainingGames : null;
    if (remaining === 0) onLimit();
    const side = t(`coinflip.${game.result}`);
    const left = remaining === null ? '' : ` ${t('coinflip.leftNews', { count: remaining })}`;
    if (game.isWin) toast.ok(`${t('coinflip.won', { side, amount: formatAmount(game.winAmount) })}${left}`);
    else toast.plain(`${t('coinflip.lost', { side, amount: formatAmount(game.betAmount) })}${left}`);
  };

  const flip = async (wanted: Flip) => {
    if (isFlipping) return;
    const release = holdNews();
    setFlipping(true);
    setPlayed(null);
    toast.clear();
    try {
      const body = JSON.stringify(wanted);
      if (attempt.current?.body !== body) attempt.current = { key: newIdempotencyKey(), body };
      const [game] = await Promise.all([
        call(playCoinFlip, { body: wanted, idempotencyKey: attempt.current.key }),
        new Promise((resolve) => setTimeout(resolve, FLIP_MS)),
      ]);
      attempt.current = null;
      setPlayed(game);
      setFlipping(false);
      release();
      await showResult(game);
    } catch (error) {
      setFlipping(false);
      fail(error);
    } finally {
      release();
    }
  };
  return { flip, isFlipping, played };
}

const sentenceOf = (error: ApiError) =>
  error.code === 'insufficient-balance'
    ? ('coinflip.insufficient' as const)
    : (`refusals.${error.code}` as const);
