import { useTranslation } from 'react-i18next';
import { Amount } from '#web/ui/amount.tsx';
import styles from './request-dialog.module.css';
import type { RequestRecord } from './request-record.ts';
import { useRecords } from './use-records.ts';

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
