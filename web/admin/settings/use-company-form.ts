import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isEmail } from '#contract/email-text.ts';
import {
  saveNowpaymentsWallet,
  savePaypalWallet,
  testNowpaymentsWallet,
  testPaypalWallet,
} from '#contract/wallets.ts';
import { useDraft } from '#web/admin/kit/use-draft.ts';
import { refreshAfter, useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { MASKED } from './fields.tsx';
import { useOutcome } from './use-outcome.ts';

/** The form of the site's account at a company: its fields as texts, its checks, saving and testing. */

export type Company = 'paypal' | 'crypto';
type Texts = Record<string, string>;
type Stored = { version: string; [name: string]: string | string[] };

const calls = {
  paypal: { save: savePaypalWallet, test: testPaypalWallet },
  crypto: { save: saveNowpaymentsWallet, test: testNowpaymentsWallet },
};

const draftOf = ({ version: _, ...stored }: Stored): Texts =>
  Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value.join(', '),
    ]),
  );

const LIST = 'supportedCurrencies';
const listOf = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');

const valuesOf = (draft: Texts) =>
  Object.fromEntries(
    Object.entries(draft).map(([name, text]) => [name, name === LIST ? listOf(text) : text.trim()]),
  );

const required = {
  paypal: ['clientId', 'clientSecret', 'businessEmail'],
  crypto: ['apiKey', 'ipnSecret'],
} as const;

type RequiredField = (typeof required)[Company][number];

/** The messages at the required fields that are not valid. */
function findFaults(company: Company, draft: Texts, messageOf: (field: RequiredField) => string) {
  const isWrong = (field: RequiredField) => {
    const value = draft[field]?.trim() ?? '';
    return field === 'businessEmail' ? !isEmail(value) : value === '';
  };
  return Object.fromEntries(required[company].filter(isWrong).map((field) => [field, messageOf(field)]));
}

export function useCompanyForm(company: Company, row: Stored) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { base, draft, isChanged, change, take, discard } = useDraft(row, draftOf);
  const { setMessages, setSteps, fail, begin, ...outcome } = useOutcome();
  const [isShown, setShown] = useState(false);
  const { save, test } = calls[company];
  const saving = useAct(save);
  const testing = useAct(test);
  const name = t(`walletAccounts.${company}.title`);

  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (saving.isPending) return;
    begin();
    const found = findFaults(company, draft, (field) => t(`walletAccounts.errors.${field}`));
    if (Object.keys(found).length > 0) return setMessages(found);
    saving.mutate({ body: { ...valuesOf(draft), version: base.version } } as never, {
      onSuccess: (stored) => {
        take(stored as Stored);
        toast.ok(t('walletAccounts.saved', { name }));
      },
      onError: (error) => {
        fail(error, t(`walletAccounts.${company}Failed`));
        // The specified toasts: the server's message for PayPal, a hint at the key for the crypto provider.
        const text =
          company === 'paypal' ? t(`refusals.${error.code}`) : t('walletAccounts.cryptoFailedText');
        toast.bad(text, t(`walletAccounts.${company}Failed`));
      },
    });
  };
  return {
    ...outcome,
    name,
    draft,
    isChanged,
    /** Whether a secret is stored, which stands as the mask in its field. */
    hasStoredSecret: Object.values(row).includes(MASKED),
    isShown,
    setShown,
    isSaving: saving.isPending,
    isTesting: testing.isPending,
    set: (field: string, value: string) => {
      setMessages({});
      setSteps(null);
      change({ [field]: value });
    },
    submit,
    test: () => {
      begin();
      setSteps(null);
      testing.mutate({ body: valuesOf(draft) } as never, {
        onSuccess: ({ steps }) => setSteps(steps),
        onError: (error) => fail(error),
      });
    },
    showStored: () => {
      begin();
      discard();
      void refreshAfter(client, save);
    },
  };
}

export type CompanyFormState = ReturnType<typeof useCompanyForm>;
