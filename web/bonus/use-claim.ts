import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { claimDailyBonus, type DailyBonus, readDailyBonus } from '#contract/bonus.ts';
import { formatAmount } from '#web/client/format.ts';
import { isOutcomeUnknown, newIdempotencyKey } from '#web/client/idempotency-key.ts';
import { keyOf, refreshTopics, useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

/**
 * Claims today's bonus and says what came of it. One attempt has one key, kept while its answer is unknown, so that
 * pressing again after a lost answer hears of the same claim.
 */
export function useClaim() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { mutate, isPending } = useAct(claimDailyBonus);
  const key = useRef<string | null>(null);
  // The second press of a double click comes before the first is drawn.
  const isOnItsWay = useRef(false);

  const claim = () => {
    if (isOnItsWay.current) return;
    isOnItsWay.current = true;
    key.current ??= newIdempotencyKey();
    mutate(
      { idempotencyKey: key.current },
      {
        onSuccess: ({ points, consecutiveDays }) => {
          key.current = null;
          // The button that was pressed can't be any more, so its place is taken by the card's heading.
          document.getElementById('bonus')?.focus({ preventScroll: true });
          client.setQueryData<DailyBonus>(keyOf(readDailyBonus, {}), (before) =>
            before ? { ...before, claimed: true, consecutiveDays, amount: points } : before,
          );
          toast.ok(t('bonus.earned', { amount: formatAmount(points) }), t('bonus.earnedTitle'));
        },
        onError: (error) => {
          if (!isOutcomeUnknown(error)) key.current = null;
          // Claimed in another tab, perhaps, or the day has changed.
          void refreshTopics(client, ['bonus']);
          toast.bad(t(`refusals.${error.code}`), t('bonus.claimFailedTitle'));
        },
        onSettled: () => {
          isOnItsWay.current = false;
        },
      },
    );
  };
  return { claim, isPending };
}
