import { useTranslation } from 'react-i18next';
import { confirmGrant, declineGrant, type Grant } from '#contract/grants.ts';
import { sumOf, sumsOf } from '#web/admin/kit/sums.ts';
import type { BulkAct } from '#web/admin/kit/use-bulk-act.ts';
import { call } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';

/** The decisions on the selected grants that wait. */
export function useBulkActs() {
  const { t } = useTranslation();
  const nameOf = (row: Grant) => `${row.userName} · ${formatAmount(row.amount)}`;
  return (rows: Grant[]): BulkAct<Grant>[] => {
    const count = rows.length;
    const sums = { count, ...sumsOf(sumOf(rows)) };
    return [
      {
        key: 'decline',
        label: t('grants.bulk.decline', { count }),
        title: t('grants.bulk.declineTitle', { count }),
        text: t('grants.bulk.declineText', sums),
        submit: t('grants.bulk.declineSubmit', sums),
        tone: 'danger',
        count,
        reason: {
          label: t('grants.decline.reason'),
          help: t('grants.decline.help'),
          required: t('grants.decline.required'),
        },
        done: (done) => t('grants.bulk.resultDeclined', { count: done }),
        run: {
          rows,
          nameOf,
          act: ({ id }, reason) => call(declineGrant, { params: { id }, body: { reason } }),
        },
      },
      {
        key: 'confirm',
        label: t('grants.bulk.confirm', { count }),
        title: t('grants.bulk.confirmTitle', { count }),
        text: t('grants.bulk.confirmText', sums),
        submit: t('grants.bulk.confirmSubmit', sums),
        tone: 'money',
        isMain: true,
        count,
        done: (done) => t('grants.bulk.resultConfirmed', { count: done }),
        run: { rows, nameOf, act: ({ id }) => call(confirmGrant, { params: { id } }) },
      },
    ];
  };
}
