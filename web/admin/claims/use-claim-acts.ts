import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeClaim, type OperatorClaim } from '#contract/claims.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { isFirstApproval } from '#web/admin/kit/first-approval.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

type Change = BodyOf<typeof changeClaim>;

/**
 * Changes one claim. A refusal shows at the foot of the sheet, and the list is fetched again, so that a decision by
 * another operator shows.
 */
export function useClaimActs(row: OperatorClaim, providerName: string, refresh: () => void) {
  const { t } = useTranslation();
  const changing = useAct(changeClaim);
  const [failure, setFailure] = useState<string | null>(null);
  const [decidedHere, setDecidedHere] = useState(false);
  const send = (change: Change) => {
    if (changing.isPending) return;
    setFailure(null);
    const amount = formatAmount(change.state === 'booked' ? change.amount : 0);
    changing.mutate(
      { params: { id: row.id }, body: change },
      {
        onSuccess: () => {
          toast.ok(t(`claimList.done.${change.state}`, { amount, provider: providerName }));
          setDecidedHere(true);
        },
        onError: (error: ApiError) => {
          refresh();
          if (isFirstApproval(error)) {
            toast.ok(t('claimList.done.firstApproved', { amount }));
            setDecidedHere(true);
          } else setFailure(`${t(`claimList.fail.${change.state}`)}. ${t(`refusals.${error.code}`)}`);
        },
      },
    );
  };
  return { send, isPending: changing.isPending, failure, forget: () => setFailure(null), decidedHere };
}
