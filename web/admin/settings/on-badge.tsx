import { useTranslation } from 'react-i18next';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** Whether a provider or a payment method is on. */
export function OnBadge({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation();
  return (
    <StatusBadge tone={isOn ? 'ok' : 'plain'}>{t(isOn ? 'connection.on' : 'connection.off')}</StatusBadge>
  );
}
