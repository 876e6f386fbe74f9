import { IconBrandPaypal, IconCurrencyLitecoin } from '@tabler/icons-react';
import type { Method } from '#contract/withdrawals.ts';
import { DashIcon } from './dash-icon.tsx';

/** The sign of a way to be paid. */
export function RailIcon({
  method,
  size = 20,
  stroke = 1.75,
}: {
  method: Method;
  size?: number;
  stroke?: number;
}) {
  if (method === 'litecoin') return <IconCurrencyLitecoin size={size} stroke={stroke} aria-hidden="true" />;
  if (method === 'dash') return <DashIcon size={size} stroke={stroke} />;
  return <IconBrandPaypal size={size} stroke={stroke} aria-hidden="true" />;
}
