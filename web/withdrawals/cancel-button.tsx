import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { cancelWithdrawal } from '#contract/withdrawals.ts';
import { formatAmount } from '#web/client/format.ts';
import { refreshAfter, useAct } from '#web/client/use-call.ts';
import { ConsequenceButtons, Consequences } from '#web/ui/consequences.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';

/** Takes a pending request back, after a question that names its points. They return at once. */
export function CancelButton({ id, amount: points }: { id: string; amount: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsked, { open, close }] = useDisclosure(false);
  const { mutate, isPending } = useAct(cancelWithdrawal);
  const amount = formatAmount(points);
  const cancel = () =>
    mutate(
      { params: { id } },
      {
        onSuccess: () => toast.ok(t('withdrawals.cancelled', { amount })),
        onError: (error) => {
          toast.bad(t(`refusals.${error.code}`));
          close();
          // What was shown is outdated.
          void refreshAfter(client, cancelWithdrawal);
        },
      },
    );
  return (
    <>
      <Button variant="default" size="sm" mt="xs" onClick={open}>
        {t('withdrawals.cancel')}
      </Button>
      <Dialog
        isOpen={isAsked}
        onClose={close}
        title={t('withdrawals.cancelling.title', { amount })}
        width={480}
        isLocked={isPending}
        text={
          <Consequences>
            <li>{t('withdrawals.cancelling.returned', { amount })}</li>
            <li>{t('withdrawals.cancelling.counted')}</li>
          </Consequences>
        }
      >
        <ConsequenceButtons>
          <Button variant="subtle" onClick={close} disabled={isPending}>
            {t('withdrawals.cancelling.keep')}
          </Button>
          <Button color="brick" loading={isPending} onClick={cancel}>
            {t('withdrawals.cancelling.submit', { amount })}
          </Button>
        </ConsequenceButtons>
      </Dialog>
    </>
  );
}
