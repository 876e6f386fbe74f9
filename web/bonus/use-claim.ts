import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { claimDailyBonus, type DailyBonus, readDailyBonus } from '#contract/bonus.ts';
import { formatAmount } from '#web/client/format.ts';
import { isOutcomeUnknown, newIdempotencyKey } from '#web/client/idempotency-key.ts';
import { keyOf, refreshTopics, useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

/**
 * Claims today's bonus and shows the outcome in a toast. All tries of one attempt share an idempotency key until its
 * outcome is known, so pressing again after a lost answer returns the same claim.
 */
export function useClaim() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { mutate, isPending } = useAct(claimDailyBonus);
  const key = useRef<string | null>(null);
  // The second press of a double click comes before the button renders as disabled.
  const isSending = useRef(false);

  const claim = () => {
    if (isSending.current) return;
    isSending.current = true;
    key.current ??= newIdempotencyKey();
    mutate(
      { idempotencyKey: key.current },
      {
        onSuccess: ({ points, consecutiveDays }) => {
          key.current = null;
          // The pressed button is now disabled, so the focus moves to the card's heading.
          document.getElementById('bonus')?.focus({ preventScroll: true });
          client.setQueryData<DailyBonus>(keyOf(readDailyBonus, {}), (before) =>
            before ? { ...before, claimed: true, consecutiveDays, amount: points } : before,
          );
          toast.ok(t('bonus.earned', { amount: formatAmount(points) }), t('bonus.earnedTitle'));
        },
        onError: (error) => {
          if (!isOutcomeUnknown(error)) key.current = null;
          // The bonus may have been claimed in another tab, or the day may have changed.
          void refreshTopics(client, ['bonus']);
          toast.bad(t(`refusals.${error.code}`), t('bonus.claimFailedTitle'));
        },
        onSettled: () => {
          isSending.current = false;
        },
      },
    );
  };
  return { claim, isPending };
}
