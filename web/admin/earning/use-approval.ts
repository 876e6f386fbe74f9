import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { approveEarning, type PendingEarning, rejectEarning } from '#contract/earning.ts';
import { isFirstApproval } from '#web/admin/kit/first-approval.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

/**
 * Decides about one credit. A refusal shows at the foot of the sheet, and the list is fetched again, so that a decision
 * by another operator shows.
 */
export function useApproval(row: PendingEarning, refresh: () => void) {
  const { t } = useTranslation();
  const approving = useAct(approveEarning);
  const rejecting = useAct(rejectEarning);
  const [failure, setFailure] = useState<string | null>(null);
  const [decidedHere, setDecidedHere] = useState(false);
  const isPending = approving.isPending || rejecting.isPending;
  const params = { id: row.id };

  const answers = (decision: 'approved' | 'rejected') => ({
    onSuccess: () => {
      toast.ok(t(`approvals.done.${decision}`, { amount: formatAmount(row.amount) }));
      setDecidedHere(true);
    },
    onError: (error: ApiError) => {
      if (isFirstApproval(error)) {
        toast.ok(t('approvals.done.firstApproved', { amount: formatAmount(row.amount) }));
        setDecidedHere(true);
        refresh();
        return;
      }
      setFailure(`${t(`approvals.fail.${decision}`)}. ${t(`refusals.${error.code}`)}`);
      refresh();
    },
  });

  return {
    approve: (reviewNote: string) => {
      if (isPending) return;
      setFailure(null);
      approving.mutate(
        { params, ...(reviewNote === '' ? {} : { body: { reviewNote } }) },
        answers('approved'),
      );
    },
    reject: (reviewNote: string) => {
      if (isPending) return;
      setFailure(null);
      rejecting.mutate({ params, body: { reviewNote } }, answers('rejected'));
    },
    isPending,
    failure,
    decidedHere,
  };
}
