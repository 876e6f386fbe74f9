import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type PaymentMethod, readPaymentMethods } from '#contract/withdrawals-methods.ts';
import type { Column, ListScreen } from '#web/admin/kit/list-screen.ts';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAmount, formatPoints } from '#web/client/format.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { OnBadge } from './on-badge.tsx';
import { PaymentForm } from './payment-form.tsx';

/** The payment methods: limits and fee, the account that pays, and the test of its connection. */

const POLL_MS = 30_000;

export function PaymentList({ tabs }: { tabs: React.ReactNode }) {
  const { t } = useTranslation();
  const state = useOperatorList<PaymentMethod>(readPaymentMethods, { pollMs: POLL_MS });
  const screen: ListScreen<PaymentMethod> = {
    state,
    ...useListWords(readPaymentMethods, 'paymentSettings', {}),
    notice: tabs,
    lead: {
      heading: t('paymentSettings.columns.method'),
      title: ({ name }) => name,
      note: ({ method }) => method,
    },
    columns: useColumns(),
    card: (row) => ({ note: limitsOf(row, t), badge: <OnBadge isOn={row.isEnabled} /> }),
    isWaiting: () => false,
    sheet: (row) => <PaymentForm key={row.id} row={row} />,
  };
  return <OperatorList screen={screen} />;
}

/** The limits in points. A maximum of 0 is none. */
function limitsOf({ settings: { minimumAmount, maximumAmount } }: PaymentMethod, t: TFunction): string {
  const min = formatPoints(minimumAmount);
  if (maximumAmount === 0) return t('paymentSettings.limitsFrom', { min: formatAmount(minimumAmount) });
  return t('paymentSettings.limits', { min, max: formatAmount(maximumAmount) });
}

/** Whether every part of the account is set; null for a method without an account. */
function isAccountSet({ credentials }: PaymentMethod): boolean | null {
  const values = Object.values(credentials);
  return values.length === 0 ? null : values.every((value) => value !== '');
}

function AccountBadge({ row }: { row: PaymentMethod }) {
  const { t } = useTranslation();
  const isSet = isAccountSet(row);
  if (isSet === null) return <span className="dim">{t('paymentSettings.account.none')}</span>;
  return (
    <StatusBadge tone={isSet ? 'ok' : 'warn'}>
      {t(isSet ? 'paymentSettings.account.set' : 'paymentSettings.account.incomplete')}
    </StatusBadge>
  );
}

function useColumns(): Column<PaymentMethod, SortOf<typeof readPaymentMethods>>[] {
  const { t } = useTranslation();
  return [
    { key: 'limits', heading: t('paymentSettings.columns.limits'), cell: (row) => limitsOf(row, t) },
    {
      key: 'fee',
      heading: t('paymentSettings.columns.fee'),
      cell: ({ settings }) => formatAmount(settings.processingFee),
      isFigure: true,
      defaultVisibility: 'medium',
    },
    {
      key: 'account',
      heading: t('paymentSettings.columns.account'),
      cell: (row) => <AccountBadge row={row} />,
      defaultVisibility: 'medium',
    },
    {
      key: 'on',
      heading: t('paymentSettings.columns.on'),
      cell: ({ isEnabled }) => <OnBadge isOn={isEnabled} />,
    },
  ];
}
