import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changePaymentMethod, type PaymentMethod, testPaymentMethod } from '#contract/withdrawals-methods.ts';
import { changedPart, useDraft } from '#web/admin/kit/use-draft.ts';
import { formatPoints } from '#web/client/format.ts';
import { refreshAfter, useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { MASKED, wholeOf } from './fields.tsx';
import { settingPath, useOutcome } from './use-outcome.ts';

/** The form of a payment method. */

export const limitNames = ['minimumAmount', 'maximumAmount', 'processingFee'] as const;
type LimitName = (typeof limitNames)[number];

type Draft = { isEnabled: boolean; credentials: Record<string, string> } & Record<LimitName, string>;

const draftOf = ({ isEnabled, credentials, settings }: PaymentMethod): Draft => ({
  isEnabled,
  credentials: Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, String(value)])),
  minimumAmount: formatPoints(settings.minimumAmount),
  maximumAmount: formatPoints(settings.maximumAmount),
  processingFee: formatPoints(settings.processingFee),
});

/** The credentials that were edited. One that was a number is sent as a number, as far as it is one. */
function editedCredentials({ credentials }: Draft, former: Draft, stored: PaymentMethod['credentials']) {
  const edited = Object.entries(credentials).filter(([name, value]) => value !== former.credentials[name]);
  if (edited.length === 0) return undefined;
  return Object.fromEntries(
    edited.map(([name, value]) => [
      name,
      typeof stored[name] === 'number' ? (wholeOf(value) ?? value) : value,
    ]),
  );
}

/** The stored secrets to type in again, because the draft sends them to another host or port than the stored one. */
function secretsToType({ credentials }: Draft, former: Draft, base: PaymentMethod): string[] {
  const isMoved = base.endpointNames.some((name) => credentials[name] !== former.credentials[name]);
  return isMoved ? base.secretNames.filter((name) => credentials[name] === MASKED) : [];
}

/** The change of what was edited. */
const changeOf = (
  base: PaymentMethod,
  draft: Draft,
  credentials: ReturnType<typeof editedCredentials>,
  settings: Partial<PaymentMethod['settings']> | undefined,
) => ({
  version: base.version,
  ...(draft.isEnabled === base.isEnabled ? {} : { isEnabled: draft.isEnabled }),
  ...(credentials === undefined ? {} : { credentials }),
  ...(settings === undefined ? {} : { settings }),
});

export function usePaymentForm(row: PaymentMethod) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { base, draft, former, isChanged, change, take, discard } = useDraft(row, draftOf);
  const { setMessages, setSteps, fail, begin, ...outcome } = useOutcome();
  const saving = useAct(changePaymentMethod);
  const testing = useAct(testPaymentMethod);
  const { method } = row;
  const credentials = editedCredentials(draft, former, base.credentials);
  const toType = secretsToType(draft, former, base);

  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (saving.isPending || !isChanged || toType.length > 0) return;
    const numbers = Object.fromEntries(limitNames.map((name) => [name, wholeOf(draft[name])]));
    const bad = limitNames.filter((name) => numbers[name] === undefined);
    begin();
    if (bad.length > 0)
      return setMessages(Object.fromEntries(bad.map((name) => [settingPath(name), t('connection.whole')])));
    const settings = changedPart(numbers as Record<LimitName, number>, base.settings);
    saving.mutate(
      { params: { method }, body: changeOf(base, draft, credentials, settings) },
      {
        onSuccess: (stored) => {
          take(stored);
          toast.ok(t('connection.isSaved', { name: stored.name }));
        },
        onError: (error) => fail(error, t('paymentSettings.notSaved')),
      },
    );
  };
  const test = () => {
    begin();
    setSteps(null);
    testing.mutate(
      { params: { method }, body: credentials === undefined ? {} : { credentials } },
      { onSuccess: ({ steps }) => setSteps(steps), onError: (error) => fail(error) },
    );
  };
  return {
    ...outcome,
    base,
    draft,
    hasAccount: Object.keys(base.credentials).length > 0,
    isChanged,
    toType,
    isSaving: saving.isPending,
    isTesting: testing.isPending,
    change: (part: Partial<Draft>) => {
      setMessages({});
      change(part);
    },
    setCredential: (name: string, value: string) => {
      setMessages({});
      setSteps(null);
      change({ credentials: { ...draft.credentials, [name]: value } });
    },
    submit,
    test,
    showStored: () => {
      begin();
      discard();
      void refreshAfter(client, changePaymentMethod);
    },
  };
}

export type Form = ReturnType<typeof usePaymentForm>;
