import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { approveWithdrawal, type OperatorWithdrawal, rejectWithdrawal } from '#contract/withdrawals.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

/**
 * Decides one request. A refusal shows at the foot of the sheet. The list is fetched again after every answer, so that
 * a decision by another operator shows.
 */
export function useDecision(row: OperatorWithdrawal, refresh: () => void) {
  const { t } = useTranslation();
  const approving = useAct(approveWithdrawal);
  const rejecting = useAct(rejectWithdrawal);
  const [failure, setFailure] = useState<string | null>(null);
  const [decidedHere, setDecidedHere] = useState(false);
  const amount = formatAmount(row.amount);
  const params = { id: row.id };

  const answers = (decision: 'approved' | 'rejected') => ({
    onSuccess: () => {
      toast.ok(t(`queue.done.${decision}`, { amount }));
      setDecidedHere(true);
    },
    onError: (error: ApiError) => {
      setFailure(`${t(`queue.fail.${decision}`)}. ${t(`refusals.${error.code}`)}`);
      refresh();
    },
  });

  return {
    approve: () => {
      if (approving.isPending || rejecting.isPending) return;
      setFailure(null);
      approving.mutate({ params }, answers('approved'));
    },
    reject: (reason: string) => {
      if (approving.isPending || rejecting.isPending) return;
      setFailure(null);
      rejecting.mutate({ params, body: { reason } }, answers('rejected'));
    },
    isPending: approving.isPending || rejecting.isPending,
    failure,
    decidedHere,
  };
}
