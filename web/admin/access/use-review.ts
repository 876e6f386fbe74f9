import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  approveRegistration,
  type RegistrationReview,
  rejectRegistration,
} from '#contract/access-registration-reviews.ts';
import type { ApiError } from '#web/client/call.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

/**
 * Decides one registration. A refusal shows at the foot of the sheet, and the list is fetched again, so that a decision
 * by another operator shows.
 */
export function useReview({ id, email, status }: RegistrationReview, refresh: () => void) {
  const { t } = useTranslation();
  const approving = useAct(approveRegistration);
  const rejecting = useAct(rejectRegistration);
  const [failure, setFailure] = useState<string | null>(null);
  const [decidedHere, setDecidedHere] = useState(false);
  const isPending = approving.isPending || rejecting.isPending;
  const params = { id };

  const answers = (decision: 'approved' | 'rejected') => ({
    onSuccess: () => {
      toast.ok(t(`registrations.done.${decision}`, { email }));
      setDecidedHere(true);
    },
    onError: ({ code }: ApiError) => {
      const why = code === 'own-request' ? t('registrations.sheet.own') : t(`refusals.${code}`);
      setFailure(`${t(`registrations.fail.${decision}`)}. ${why}`);
      refresh();
    },
  });

  return {
    approve: (reason: string) => {
      if (isPending) return;
      setFailure(null);
      const overturns = status === 'rejected' ? { overturns: true } : {};
      approving.mutate(
        { params, body: { ...(reason === '' ? {} : { reason }), ...overturns } },
        answers('approved'),
      );
    },
    reject: (reason: string) => {
      if (isPending) return;
      setFailure(null);
      rejecting.mutate({ params, body: { reason } }, answers('rejected'));
    },
    isPending,
    failure,
    decidedHere,
  };
}
