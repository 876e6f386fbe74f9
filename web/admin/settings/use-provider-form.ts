import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changeProvider, type Provider, testProvider } from '#contract/earning-providers.ts';
import { changedPart, useDraft } from '#web/admin/kit/use-draft.ts';
import { refreshAfter, useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { wholeOf } from './fields.tsx';
import { settingPath, useOutcome } from './use-outcome.ts';

/** The form of a provider. */

/** What the server takes if nothing else is set. */
const FORMER_SECRET_HOURS = 24;
const FORMER_SECRET_HOURS_MAX = 168;

const accountOf = ({ name, type, url, apiKey, secret, isEnabled }: Provider) => ({
  name,
  type,
  url,
  apiKey,
  secret,
  isEnabled,
});

const draftOf = (provider: Provider) => ({
  ...accountOf(provider),
  /** One address a line. */
  sourceAddresses: provider.settings.sourceAddresses.join('\n'),
  sourcePolicy: provider.settings.sourcePolicy,
  pathToken: provider.settings.pathToken ?? '',
  formerSecretHours: String(provider.settings.formerSecretHours ?? FORMER_SECRET_HOURS),
});
type Draft = ReturnType<typeof draftOf>;

const settingsOf = ({ sourceAddresses, sourcePolicy, pathToken, formerSecretHours }: Draft) => ({
  sourceAddresses: sourceAddresses.split(/[\s,]+/).filter((address) => address !== ''),
  sourcePolicy,
  pathToken: pathToken === '' ? null : pathToken,
  formerSecretHours: wholeOf(formerSecretHours) ?? -1,
});

/** The fields that differ from the stored ones, with the version that they were changed in. */
function changeOf(base: Provider, draft: Draft, former: Draft) {
  const settings = changedPart(settingsOf(draft), settingsOf(former));
  return {
    version: base.version,
    ...changedPart(accountOf({ ...base, ...draft }), accountOf(base)),
    ...(settings === undefined ? {} : { settings }),
  };
}

/** What the test of the connection uses. */
const testedOf = ({ url, apiKey, secret }: Pick<Provider, 'url' | 'apiKey' | 'secret'>) => ({
  url,
  apiKey,
  secret,
});

export function useProviderForm(row: Provider) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { base, draft, former, isChanged, change, take, discard } = useDraft(row, draftOf);
  const { setMessages, setSteps, fail, begin, ...outcome } = useOutcome();
  const saving = useAct(changeProvider);
  const testing = useAct(testProvider);
  const { id } = row;
  const settings = settingsOf(draft);

  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (saving.isPending || !isChanged) return;
    begin();
    const hours = settings.formerSecretHours;
    if (hours < 0 || hours > FORMER_SECRET_HOURS_MAX)
      return setMessages({
        [settingPath('formerSecretHours')]: t('providerSettings.formerRange', {
          max: FORMER_SECRET_HOURS_MAX,
        }),
      });
    saving.mutate(
      { params: { id }, body: changeOf(base, draft, former) },
      {
        onSuccess: (stored) => {
          take(stored);
          toast.ok(t('connection.isSaved', { name: stored.name }));
        },
        onError: (error) => fail(error, t('providerSettings.notSaved')),
      },
    );
  };
  const test = () => {
    begin();
    setSteps(null);
    testing.mutate(
      { params: { id }, body: changedPart(testedOf(draft), testedOf(base)) ?? {} },
      { onSuccess: ({ steps }) => setSteps(steps), onError: (error) => fail(error) },
    );
  };
  const { messageOf } = outcome;
  return {
    ...outcome,
    /** The server names a wrong address by its position in the list. */
    messageOf: (path: string): string | undefined => {
      const at = settings.sourceAddresses.findIndex(
        (_, index) => messageOf(`${path}.${index}`) !== undefined,
      );
      return at === -1 ? messageOf(path) : `${settings.sourceAddresses[at]}: ${messageOf(`${path}.${at}`)}`;
    },
    base,
    draft,
    isChanged,
    isSaving: saving.isPending,
    isTesting: testing.isPending,
    change: (part: Partial<Draft>) => {
      setMessages({});
      if ('url' in part || 'apiKey' in part || 'secret' in part) setSteps(null);
      change(part);
    },
    submit,
    test,
    showStored: () => {
      begin();
      discard();
      void refreshAfter(client, changeProvider);
    },
  };
}

export type Form = ReturnType<typeof useProviderForm>;
