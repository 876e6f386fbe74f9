import { useTranslation } from 'react-i18next';
import { type Provider, readProviders } from '#contract/earning-providers.ts';
import type { Column, ListScreen } from '#web/admin/kit/list-screen.ts';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { CoverageBadge } from './coverage.tsx';
import { OnBadge } from './on-badge.tsx';
import { ProviderForm } from './provider-form.tsx';

/** The providers: their accounts, the address that they call, and what is believed of a call. */

const POLL_MS = 30_000;

export function ProviderList({ tabs }: { tabs: React.ReactNode }) {
  const { t } = useTranslation();
  const state = useOperatorList<Provider>(readProviders, { pollMs: POLL_MS });
  const screen: ListScreen<Provider> = {
    state,
    ...useListWords(readProviders, 'providerSettings', {}),
    notice: tabs,
    lead: {
      heading: t('providerSettings.columns.provider'),
      title: ({ name }) => name,
      note: ({ type }) => t(`providerSettings.choices.type.${type}`),
    },
    columns: useColumns(),
    card: (row) => ({
      badge: (
        <>
          <OnBadge isOn={row.isEnabled} /> <CoverageBadge provider={row} />
        </>
      ),
    }),
    isWaiting: () => false,
    sheet: (row) => <ProviderForm key={row.id} row={row} />,
  };
  return <OperatorList screen={screen} />;
}

function useColumns(): Column<Provider, SortOf<typeof readProviders>>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'signature',
      heading: t('providerSettings.columns.signature'),
      cell: (row) => <CoverageBadge provider={row} />,
    },
    {
      key: 'policy',
      heading: t('providerSettings.columns.policy'),
      cell: ({ settings }) => t(`providerSettings.policy.${settings.sourcePolicy}`),
      defaultVisibility: 'medium',
    },
    {
      key: 'account',
      heading: t('providerSettings.columns.account'),
      cell: ({ apiKey, secret }) =>
        t(
          apiKey !== '' && secret !== ''
            ? 'providerSettings.account.set'
            : 'providerSettings.account.incomplete',
        ),
      defaultVisibility: 'wide',
    },
    {
      key: 'on',
      heading: t('providerSettings.columns.on'),
      cell: ({ isEnabled }) => <OnBadge isOn={isEnabled} />,
    },
  ];
}
