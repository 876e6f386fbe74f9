import { useSearch } from '@tanstack/react-router';
import { PaymentList } from './payment-list.tsx';
import { ProviderList } from './provider-list.tsx';
import { type SettingsTab, SettingsTabs } from './settings-tabs.tsx';
import { SiteSettings } from './site-settings.tsx';

/** The settings: providers, payment methods and the site. */
export function SettingsPage() {
  const { tab = 'providers' } = useSearch({ strict: false }) as { tab?: SettingsTab };
  const tabs = <SettingsTabs current={tab} />;
  if (tab === 'payments') return <PaymentList tabs={tabs} />;
  if (tab === 'site') return <SiteSettings tabs={tabs} />;
  return <ProviderList tabs={tabs} />;
}
