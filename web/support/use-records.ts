import { useTranslation } from 'react-i18next';
import { readChargebacks } from '#contract/earning.ts';
import { readWithdrawals } from '#contract/withdrawals.ts';
import { formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { useRailWords } from '#web/ui/rails.ts';
import { withdrawalStateOf } from '#web/ui/withdrawal-state.ts';
import type { RequestRecord } from './request-record.ts';

const RECORDS_SHOWN = 5;

export type ShownRecord = { record: RequestRecord; title: string; note: string; points: string };

/** The member’s newest records of a kind; undefined until they were read. */
export function useRecords(kind: RequestRecord['kind']): {
  records: ShownRecord[] | undefined;
  hasFailed: boolean;
} {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  const query = { page: '1', limit: String(RECORDS_SHOWN) };
  const withdrawals = useRead(readWithdrawals, { query }, { enabled: kind === 'withdrawal' });
  const chargebacks = useRead(readChargebacks, undefined, { enabled: kind === 'chargeback' });
  const noteOf = (createdAt: string, state: string) =>
    t('support.records.note', { time: formatTime(createdAt, i18n.language), state });
  if (kind === 'withdrawal')
    return {
      hasFailed: withdrawals.isError,
      records: withdrawals.data?.data.map((entry) => ({
        record: { kind, id: entry.id, entry },
        title: t('support.records.to', { method: nameOf(entry.method) }),
        note: noteOf(entry.createdAt, t(withdrawalStateOf(entry).word)),
        points: `-${entry.amount}`,
      })),
    };
  return {
    hasFailed: chargebacks.isError,
    records: chargebacks.data?.slice(0, RECORDS_SHOWN).map((entry) => ({
      record: { kind, id: entry.id, entry },
      title: entry.description,
      note: formatTime(entry.createdAt, i18n.language),
      points: entry.amount,
    })),
  };
}
