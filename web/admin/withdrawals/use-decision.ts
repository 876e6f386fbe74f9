import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import { approveWithdrawal, rejectWithdrawal } from '#contract/withdrawals-decisions.ts';
import { isFirstApproval } from '#web/admin/kit/first-approval.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { useRefusalText } from './refusal-text.ts';
import { useUndo } from './use-undo.ts';

/**
 * Decides one request. A refusal shows at the foot of the sheet. The list is fetched again after every answer, so that
 * a decision by another operator shows.
 */
export function useDecision(row: OperatorWithdrawal, refresh: () => void) {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  const approving = useAct(approveWithdrawal);
  const rejecting = useAct(rejectWithdrawal);
  const [failure, setFailure] = useState<string | null>(null);
  const [decidedHere, setDecidedHere] = useState(false);
  const amount = formatAmount(row.amount);
  const params = { id: row.id };

  const undoing = useUndo({
    request: row,
    onUndone: refresh,
    onFailed: (text) => {
      toast.bad(text);
      refresh();
    },
  });

  const answers = (decision: 'approved' | 'rejected') => ({
    onSuccess: ({ undoUntil, payoutObstacle }: OperatorWithdrawal) => {
      const forMs = undoUntil === null ? 0 : Date.parse(undoUntil) - Date.now();
      // The server's answer knows of a pause that this page has not read yet.
      const isPaused = decision === 'approved' && payoutObstacle === 'paused';
      const message = t(`queue.done.${isPaused ? 'approvedPaused' : decision}`, { amount });
      if (forMs > 0) toast.undoable(message, { label: t('queue.sheet.undo'), act: undoing.undo, forMs });
      else toast.ok(message);
      setDecidedHere(true);
    },
    onError: (error: ApiError) => {
      if (isFirstApproval(error)) {
        toast.ok(t('queue.done.firstApproved', { amount }));
        setDecidedHere(true);
      } else setFailure(`${t(`queue.fail.${decision}`)}. ${refusalText(error)}`);
      refresh();
    },
  });

  return {
    /** With the quote that the operator saw, its amount is paid. */
    approve: (quoteId: string | undefined) => {
      if (approving.isPending || rejecting.isPending) return;
      setFailure(null);
      approving.mutate(
        { params, ...(quoteId === undefined ? {} : { body: { quoteId } }) },
        answers('approved'),
      );
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
