import { useSearch } from '@tanstack/react-router';
import { PaymentList } from './payment-list.tsx';
import { ProviderList } from './provider-list.tsx';
import { type SettingsTab, SettingsTabs } from './settings-tabs.tsx';

/** The settings: providers and payment methods. */
export function SettingsPage() {
  const { tab = 'providers' } = useSearch({ strict: false }) as { tab?: SettingsTab };
  const tabs = <SettingsTabs current={tab} />;
  if (tab === 'payments') return <PaymentList tabs={tabs} />;
  return <ProviderList tabs={tabs} />;
}
