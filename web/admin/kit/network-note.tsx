import { useTranslation } from 'react-i18next';
import type { Network } from '#contract/network.ts';

/** What the operator's files of networks say of an address; nothing without one. */
export function NetworkNote({ network }: { network: Network | null }) {
  const { t, i18n } = useTranslation();
  if (network === null) return null;
  const { country, kinds, holder, connection } = network;
  const countries = new Intl.DisplayNames([i18n.language], { type: 'region' });
  const parts = [
    country === null ? null : countries.of(country),
    ...kinds.map((kind) => t(`network.kinds.${kind}`)),
    connection,
    holder,
  ];
  return <p className="dim">{parts.filter(Boolean).join(', ')}</p>;
}
