import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sendPhoneVerification, verifyPhoneCode } from '#contract/access-credentials.ts';
import type { ApiError } from '#web/client/call.ts';
import { userQuery, useSiteConfig } from '#web/client/session.ts';
import { useAct } from '#web/client/use-call.ts';
import { asCountry, countryOf, internationalForm, likelyCountry } from './phone-countries.ts';

export const CODE_LENGTH = 6;

/** What replaces a verified number needs besides the new one. */
type Proof = {
  /** Whether it is filled in; if not, its field says so. */
  check: () => boolean;
  body: { password: string } | { oldCode: string };
  /** Shows a refusal at the proof's field if it is about the proof. */
  takeRefusal: (refusal: ApiError) => boolean;
};

/** A number as it was typed, to which a code was sent. */
export type SentCode = { country: string; text: string; number: string; expiresAt: string };

type PhoneOptions = {
  /** Null for a first number. */
  proof: Proof | null;
  oldNumber: string;
  /** What a screen says of a number that is none, before why no code was sent, and after a wrong code. */
  words: { format: string; send: string; triesLeft: (count: number) => string };
  /** Whether a code is checked when its last digit is typed or pasted. */
  isCheckedWhenWhole?: boolean;
  /** The code that was sent before, with which the second step begins. */
  sentBefore?: SentCode | undefined;
  /** Called when a code was sent, and with undefined when another number is typed instead. */
  onSent?: (sent: SentCode | undefined) => void;
  onDone: () => void;
};

/** A text field and its error. Typing clears the error. */
function useTextField(clean: (text: string) => string, start = '') {
  const [text, setText] = useState(start);
  const [error, setError] = useState<string | null>(null);
  const change = (typed: string): string => {
    const cleaned = clean(typed);
    setText(cleaned);
    setError(null);
    return cleaned;
  };
  return { text, error, change, showError: setError };
}

/** The country of a number. Without a choice it is that of the old number, else the one that is likely. */
function useCountry(oldNumber: string, start: string | undefined) {
  const siteTimezone = useSiteConfig().data?.siteTimezone;
  const likely = useMemo(
    () => countryOf(oldNumber) ?? likelyCountry(navigator.languages, siteTimezone),
    [oldNumber, siteTimezone],
  );
  const [chosen, setChosen] = useState(start === undefined ? undefined : asCountry(start));
  return { value: chosen ?? likely, change: (value: string) => setChosen(asCountry(value)) };
}

/** The field of the code, and its check. */
function useCode(phoneNumber: string, { words, onDone }: PhoneOptions) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { mutate, isPending } = useAct(verifyPhoneCode);
  const code = useTextField((typed) => typed.replace(/\D/g, '').slice(0, CODE_LENGTH));
  const verify = (typed: string) => {
    if (typed.length !== CODE_LENGTH || isPending) return;
    mutate(
      { body: { phoneNumber, code: typed } },
      {
        onSuccess: (user) => {
          client.setQueryData(userQuery.queryKey, user);
          onDone();
        },
        onError: (error) => {
          const triesLeft = error.problem?.triesLeft;
          const more = typeof triesLeft === 'number' ? words.triesLeft(triesLeft) : '';
          code.showError(`${t(`refusals.${error.code}`)}${more}`);
        },
      },
    );
  };
  return { code, verify, isVerifying: isPending };
}

/**
 * Verifies a phone number in two steps: sends a code to the number, then checks the typed code. The number is locked
 * during the second step.
 */
export function usePhoneVerification(options: PhoneOptions) {
  const { proof, oldNumber, words, isCheckedWhenWhole = false, sentBefore, onSent } = options;
  const { t } = useTranslation();
  const sending = useAct(sendPhoneVerification);
  const number = useTextField((typed) => typed, sentBefore?.text);
  const [sent, setSent] = useState<SentCode | null>(sentBefore ?? null);
  const country = useCountry(oldNumber, sentBefore?.country);
  const phoneNumber = internationalForm(number.text, country.value) ?? '';
  const { code, verify, isVerifying } = useCode(phoneNumber, options);

  const send = () => {
    if (phoneNumber === '') {
      number.showError(words.format);
      return;
    }
    if (proof?.check() === false) return;
    sending.mutate(
      { body: { phoneNumber, ...proof?.body } },
      {
        onSuccess: ({ expiresAt }) => {
          const now = { country: country.value, text: number.text, number: phoneNumber, expiresAt };
          setSent(now);
          onSent?.(now);
        },
        onError: (error) => {
          if (proof?.takeRefusal(error)) return;
          const field = sent === null ? number : code;
          field.showError(`${words.send}. ${t(`refusals.${error.code}`)}`);
        },
      },
    );
  };

  const changeCountry = (value: string) => {
    country.change(value);
    number.showError(null);
  };
  const isBusy = sending.isPending || isVerifying;
  return {
    country: { ...country, change: changeCountry },
    number,
    /** The number as it is dialled from abroad; empty while it is none. */
    phoneNumber,
    code: {
      ...code,
      change: (typed: string) => {
        const cleaned = code.change(typed);
        if (isCheckedWhenWhole) verify(cleaned);
      },
    },
    sent,
    isBusy,
    submit: (event: React.FormEvent) => {
      event.preventDefault();
      if (isBusy) return;
      if (sent !== null) verify(code.text);
      else send();
    },
    /** Sends a code again, to the same number. */
    sendAgain: () => {
      code.change('');
      send();
    },
    startAgain: () => {
      setSent(null);
      onSent?.(undefined);
      code.change('');
    },
  };
}
