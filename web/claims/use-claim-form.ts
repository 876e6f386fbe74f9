import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Claimable, fileClaim } from '#contract/claims.ts';
import { formatDayOfWeek } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

/** What a member writes in a claim, and the sending of it. It stays until it is sent. */
export function useClaimForm(nameOf: (provider: string) => string, onDone: () => void) {
  const { t, i18n } = useTranslation();
  const filing = useAct(fileClaim);
  const [stated, setStated] = useState('');
  const [text, setText] = useState('');
  const isStatedWrong = stated.trim() !== '' && !/^[1-9]\d{0,14}$/.test(stated.trim());
  const isReady = text.trim() !== '' && !isStatedWrong;
  const send = ({ activityId, provider }: Claimable) => {
    if (!isReady || filing.isPending) return;
    const points = stated.trim();
    filing.mutate(
      { body: { activityId, text, ...(points === '' ? {} : { statedPoints: points }) } },
      {
        onSuccess: ({ dueAt }) => {
          const time = formatDayOfWeek(dueAt, i18n.language);
          toast.ok(t('claims.form.sent', { provider: nameOf(provider), time }));
          setStated('');
          setText('');
          onDone();
        },
      },
    );
  };
  return {
    stated,
    setStated,
    isStatedWrong,
    text,
    setText,
    isReady,
    send,
    isPending: filing.isPending,
    failure: filing.isError ? `${t('claims.form.failed')}. ${t(`refusals.${filing.error.code}`)}` : null,
  };
}
