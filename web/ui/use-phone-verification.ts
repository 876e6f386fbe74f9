import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sendPhoneVerification, verifyPhoneCode } from '#contract/access-credentials.ts';
import { userQuery, useSiteConfig } from '#web/client/session.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { asCountry, countryOf, internationalForm, likelyCountry } from './phone-countries.ts';
import type { PhoneProof } from './use-phone-proof.ts';

export const CODE_LENGTH = 6;

/** A text field and its error. Typing clears the error. */
function useTextField(clean: (text: string) => string) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const change = (typed: string) => {
    setText(clean(typed));
    setError(null);
  };
  return { text, error, change, showError: setError };
}

/** The country of a number. Without a choice it is that of the old number, else the one that is likely. */
function useCountry(oldNumber: string) {
  const siteTimezone = useSiteConfig().data?.siteTimezone;
  const likely = useMemo(
    () => countryOf(oldNumber) ?? likelyCountry(navigator.languages, siteTimezone),
    [oldNumber, siteTimezone],
  );
  const [chosen, setChosen] = useState<typeof likely>();
  return { value: chosen ?? likely, change: (value: string) => setChosen(asCountry(value)) };
}

/**
 * Verifies a phone number in two steps: sends a code to the number, then checks the typed code. The number is locked
 * during the second step. `proof`: what replaces a verified number needs besides; null for a first number.
 */
export function usePhoneVerification(proof: PhoneProof | null, oldNumber: string, onDone?: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const sending = useAct(sendPhoneVerification);
  const verifying = useAct(verifyPhoneCode);
  const number = useTextField((typed) => typed);
  const code = useTextField((typed) => typed.replace(/\D/g, '').slice(0, CODE_LENGTH));
  const country = useCountry(oldNumber);
  const phoneNumber = internationalForm(number.text, country.value) ?? '';

  const send = () => {
    if (phoneNumber === '') {
      number.showError(t('settings.phone.errors.format'));
      return;
    }
    if (proof?.check() === false) return;
    sending.mutate(
      { body: { phoneNumber, ...proof?.body } },
      {
        onError: (error) => {
          if (proof?.takeRefusal(error)) return;
          number.showError(`${t('settings.phone.errors.send')}. ${t(`refusals.${error.code}`)}`);
        },
      },
    );
  };

  const verify = () => {
    if (code.text.length !== CODE_LENGTH) return;
    verifying.mutate(
      { body: { phoneNumber, code: code.text } },
      {
        onSuccess: (user) => {
          toast.ok(t('settings.phone.done'));
          client.setQueryData(userQuery.queryKey, user);
          onDone?.();
        },
        onError: (error) => code.showError(t(`refusals.${error.code}`)),
      },
    );
  };

  const isBusy = sending.isPending || verifying.isPending;
  return {
    country: {
      ...country,
      change: (value: string) => {
        country.change(value);
        number.showError(null);
      },
    },
    number,
    code,
    sent: sending.isSuccess ? { number: phoneNumber, expiresAt: sending.data.expiresAt } : null,
    isBusy,
    submit: (event: React.FormEvent) => {
      event.preventDefault();
      if (isBusy) return;
      if (sending.isSuccess) verify();
      else send();
    },
    startAgain: () => {
      sending.reset();
      code.change('');
    },
  };
}
