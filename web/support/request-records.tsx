import { useTranslation } from 'react-i18next';
import { readChargebacks } from '#contract/earning.ts';
import { readWithdrawals } from '#contract/withdrawals.ts';
import { formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { Amount } from '#web/ui/amount.tsx';
import { useRailWords } from '#web/ui/rails.ts';
import { withdrawalStateOf } from '#web/ui/withdrawal-state.ts';
import styles from './request-dialog.module.css';
import type { RequestRecord } from './request-record.ts';

const RECORDS_SHOWN = 5;

type RequestRecordsProps = {
  kind: RequestRecord['kind'];
  chosenId: string | null;
  onChoose: (record: RequestRecord | null) => void;
};

/** The member’s newest records of a kind, to choose the one that the request is about. */
export function RequestRecords({ kind, chosenId, onChoose }: RequestRecordsProps) {
  const { t } = useTranslation();
  const { records, hasFailed } = useRecords(kind);
  if (hasFailed) return <p className={styles.hint}>{t('support.records.failed')}</p>;
  if (records === undefined) return <div className={styles.recordsLoading} aria-busy="true" />;
  if (records.length === 0) return <p className={styles.hint}>{t(`support.records.none.${kind}`)}</p>;
  return (
    <fieldset className={styles.choice}>
      <legend>
        {t('support.records.which')} <small>{t('support.records.travels')}</small>
      </legend>
      <div className={styles.records}>
        {records.map(({ record, title, note, points }) => (
          <label key={record.id}>
            <input
              type="radio"
              name="record"
              checked={record.id === chosenId}
              onChange={() => onChoose(record)}
            />
            <span className={styles.record}>
              <b>{title}</b>
              <small>{note}</small>
            </span>
            <Amount points={points} signed />
          </label>
        ))}
        <label>
          <input type="radio" name="record" checked={chosenId === null} onChange={() => onChoose(null)} />
          <span className={styles.record}>
            <b>{t('support.records.other')}</b>
          </span>
        </label>
      </div>
    </fieldset>
  );
}

type Shown = { record: RequestRecord; title: string; note: string; points: string };

/** The newest records of a kind; undefined until they were read. */
function useRecords(kind: RequestRecord['kind']): { records: Shown[] | undefined; hasFailed: boolean } {
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
