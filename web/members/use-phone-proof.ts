import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readPasswordState, sendPhoneVerification } from '#contract/access-credentials.ts';
import type { ApiError } from '#web/client/call.ts';
import { useAct, useRead } from '#web/client/use-call.ts';

/**
 * What a member shows before a verified number is replaced: the password, or a code sent to that number. An account
 * without a password has only the code.
 */
export function usePhoneProof(oldNumber: string) {
  const { t } = useTranslation();
  const hasPassword = useRead(readPasswordState).data?.isSet ?? true;
  const sending = useAct(sendPhoneVerification);
  const [wantsCode, setWantsCode] = useState(false);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const kind = wantsCode || !hasPassword ? ('code' as const) : ('password' as const);
  const change = (typed: string) => {
    setText(kind === 'code' ? typed.replace(/\D/g, '').slice(0, 6) : typed);
    setError(null);
  };
  return {
    kind,
    hasPassword,
    text,
    error,
    change,
    isSent: sending.isSuccess,
    isSending: sending.isPending,
    /** Changes between the password and the code. */
    swap: () => {
      setWantsCode((last) => !last);
      setText('');
      setError(null);
    },
    sendCode: () =>
      sending.mutate(
        { body: { phoneNumber: oldNumber } },
        { onError: (refusal) => setError(t(`refusals.${refusal.code}`)) },
      ),
    /** Whether the proof is filled in; if not, its field says so. */
    check: (): boolean => {
      const isFilled = kind === 'code' ? text.length === 6 : text !== '';
      if (!isFilled)
        setError(t(kind === 'code' ? 'settings.phone.codeHelp' : 'settings.phone.passwordMissing'));
      return isFilled;
    },
    body: kind === 'code' ? { oldCode: text } : { password: text },
    /** Shows a refusal at the proof's field if it is about the proof. */
    takeRefusal: ({ code }: ApiError): boolean => {
      const codes = ['fresh-factor-required', 'wrong-password', 'no-password', 'wrong-code', 'code-expired'];
      const isOfProof = codes.includes(code);
      if (isOfProof) setError(t(`refusals.${code}`));
      return isOfProof;
    },
  };
}

export type PhoneProof = ReturnType<typeof usePhoneProof>;
