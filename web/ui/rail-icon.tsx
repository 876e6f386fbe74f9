import { IconBrandPaypal, IconCoins, IconCurrencyLitecoin } from '@tabler/icons-react';
import { DashIcon } from './dash-icon.tsx';

/** The icon of a payment method; a method without an own icon shows coins. */
export function RailIcon({
  method,
  size = 20,
  stroke = 1.75,
}: {
  method: string;
  size?: number;
  stroke?: number;
}) {
  if (method === 'litecoin') return <IconCurrencyLitecoin size={size} stroke={stroke} aria-hidden="true" />;
  if (method === 'dash') return <DashIcon size={size} stroke={stroke} />;
  if (method === 'paypal') return <IconBrandPaypal size={size} stroke={stroke} aria-hidden="true" />;
  return <IconCoins size={size} stroke={stroke} aria-hidden="true" />;
}
