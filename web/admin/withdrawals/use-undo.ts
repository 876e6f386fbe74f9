import { useTranslation } from 'react-i18next';
import { undoApproval } from '#contract/withdrawals-decisions.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { useRefusalText } from './refusal-text.ts';

type Undo = {
  request: { id: string; amount: string };
  onUndone: () => void;
  /** Gets why it was refused, in the operator's language. */
  onFailed: (text: string) => void;
};

/** Takes an approval back. Its answer is awaited here, because a toast that offers it outlives the sheet. */
export function useUndo({ request: { id, amount }, onUndone, onFailed }: Undo) {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  const { mutateAsync, isPending } = useAct(undoApproval);
  const undo = async () => {
    try {
      await mutateAsync({ params: { id } });
    } catch (error) {
      onFailed(refusalText(error as ApiError));
      return;
    }
    toast.ok(t('queue.done.undone', { amount: formatAmount(amount) }));
    onUndone();
  };
  return { undo: () => void undo(), isPending };
}
