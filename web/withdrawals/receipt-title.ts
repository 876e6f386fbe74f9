import { useTranslation } from 'react-i18next';
import { useBrandName } from '#web/client/session.ts';
import { findRail, useRails, useRailWords } from '#web/ui/rails.ts';
import { withdrawalStateOf } from '#web/ui/withdrawal-state.ts';
import { numberOf } from './request-id.ts';
import type { Entry } from './withdrawal-row.tsx';

/** What a request pays, without the zeros at its end: `0.05831 LTC`. Empty before the approval. */
export const paidText = ({ coinAmount }: Pick<Entry, 'coinAmount'>, currency: string): string =>
  coinAmount === null ? '' : `${coinAmount.replace(/\.?0+$/, '')}\u00a0${currency}`;

/** What the stamp of a paid request says around its rim. */
export function useRimText(id: string): string {
  const { t } = useTranslation();
  return `${useBrandName().toUpperCase()} · ${t('withdrawals.receipt.numbered', { number: numberOf(id) })} · `;
}

/** What has become of a request, in one sentence or word. */
export function useReceiptTitle() {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  const { data: rails } = useRails();
  return (entry: Entry): string => {
    const { doneCount } = withdrawalStateOf(entry);
    if (doneCount === null) {
      const { rejectionCode } = entry;
      const end = rejectionCode === 'cancelled' || rejectionCode === 'failed' ? rejectionCode : 'rejected';
      return t(`withdrawals.receipt.titles.${end}`);
    }
    if (doneCount === 1) return t('withdrawals.receipt.titles.pending');
    if (doneCount === 2) return t('withdrawals.receipt.titles.approved');
    if (doneCount === 3) return t('withdrawals.receipt.titles.sent');
    const rail = findRail(rails, entry.method);
    const where = rail?.destination?.kind === 'email' ? 'paidAccount' : 'paidWallet';
    const amount = paidText(entry, rail?.currency ?? '');
    return t(`withdrawals.receipt.titles.${where}`, { amount, name: nameOf(entry.method) });
  };
}
