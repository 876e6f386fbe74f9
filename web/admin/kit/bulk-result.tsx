import { Button } from '@mantine/core';
import { IconCheck, IconCircleCheck, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { refusals } from '#contract/refusals.ts';
import type { FailureCode } from '#web/client/call.ts';
import { shortenMiddle } from '#web/client/format.ts';
import styles from './bulk-dialog.module.css';
import type { BulkOutcome } from './use-bulk-act.ts';
import { useRefusalWords } from './use-refusal-words.ts';

const isCode = (text: string): text is FailureCode => text in refusals;

/** The result of an act on many rows: how many were done, and the reason for each row that failed. */
export function BulkResult({ outcome, onClose }: { outcome: BulkOutcome; onClose: () => void }) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const { doneText, rows } = outcome;
  const failedCount = rows.filter(({ failure }) => failure !== null).length;
  return (
    <div role="status">
      <p className={styles.done}>
        <IconCircleCheck size={20} stroke={1.75} aria-hidden="true" />
        {doneText}
      </p>
      {failedCount > 0 && (
        <p className={styles.undone}>
          <IconX size={20} stroke={1.75} aria-hidden="true" />
          {t('list.bulk.resultFailed', { count: failedCount })}
        </p>
      )}
      {rows.length > 0 && (
        <ul className={styles.results} aria-label={t('list.bulk.resultRows')}>
          {rows.map(({ id, name, failure }) => (
            <li key={id} data-failed={failure !== null || undefined}>
              {failure === null ? (
                <IconCheck size={16} stroke={2} aria-hidden="true" />
              ) : (
                <IconX size={16} stroke={2} aria-hidden="true" />
              )}
              <b className={name === null ? 'mono' : undefined}>{name ?? shortenMiddle(id)}</b>
              <span>
                {failure === null ? t('list.bulk.ok') : isCode(failure) ? refusalWords(failure) : failure}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        <span />
        <Button onClick={onClose} data-autofocus>
          {t('common.close')}
        </Button>
      </div>
    </div>
  );
}
