import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readFairness, rotateFairness } from '#contract/coinflip.ts';
import { keyOf, useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

/** Replaces the server seed. The former seed is revealed, so its games can be checked. */
export function useRotation() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { mutate, isPending, data } = useAct(rotateFairness);
  const rotate = (clientSeed: string | undefined) => {
    if (isPending) return;
    mutate(
      { body: clientSeed === undefined ? {} : { clientSeed } },
      {
        onSuccess: ({ serverSeedHash, clientSeed: kept, nonce }) => {
          client.setQueryData(keyOf(readFairness, {}), { serverSeedHash, clientSeed: kept, nonce });
        },
        onError: (error) => toast.bad(t(`refusals.${error.code}`), t('coinflip.error')),
      },
    );
  };
  return { rotate, isPending, revealed: data?.revealed };
}
