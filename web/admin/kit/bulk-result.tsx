import { Button } from '@mantine/core';
import { IconCheck, IconCircleCheck, IconHourglass, IconMinus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './bulk-dialog.module.css';
import type { BulkOutcome } from './bulk-outcome.ts';
import { ServerSentence } from './server-sentence.tsx';

const icons = { done: IconCheck, part: IconHourglass, failed: IconX, stayed: IconMinus };

type BulkResultProps = {
  outcome: BulkOutcome;
  /** Takes back what can be taken back. */
  undo: { label: string; act: () => void; isPending: boolean } | undefined;
  onClose: () => void;
};

/** More rows are counted and not listed, done ones first. */
const LISTED_MAX = 300;

/**
 * The result of an act on many rows: how many were done, if any were, and the reason for each row that is not done. One
 * that was known to stay is no failure.
 */
export function BulkResult({ outcome, undo, onClose }: BulkResultProps) {
  const { t } = useTranslation();
  const { doneText, partText, stayedText, rows } = outcome;
  const failedCount = rows.filter(({ kind }) => kind === 'failed').length;
  return (
    <div role="status">
      {doneText !== null && (
        <p className={styles.done}>
          <IconCircleCheck size={20} stroke={1.75} aria-hidden="true" />
          {doneText}
        </p>
      )}
      {doneText === null && partText === null && failedCount === 0 && (
        <p className={styles.none}>
          <IconMinus size={20} stroke={1.75} aria-hidden="true" />
          {t('list.bulk.resultNone')}
        </p>
      )}
      {partText !== null && (
        <p className={styles.part}>
          <IconHourglass size={20} stroke={1.75} aria-hidden="true" />
          {partText}
        </p>
      )}
      {failedCount > 0 && (
        <p className={styles.undone}>
          <IconX size={20} stroke={1.75} aria-hidden="true" />
          {t('list.bulk.resultFailed', { count: failedCount })}
        </p>
      )}
      {stayedText !== null && (
        <p className={styles.none}>
          <IconMinus size={20} stroke={1.75} aria-hidden="true" />
          {stayedText}
        </p>
      )}
      <ResultRows rows={rows} />
      <div className={styles.actions}>
        {undo === undefined ? (
          <span />
        ) : (
          <Button variant="default" loading={undo.isPending} onClick={undo.act}>
            {undo.label}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {t('common.close')}
        </Button>
      </div>
    </div>
  );
}

function ResultRows({ rows }: Pick<BulkOutcome, 'rows'>) {
  const { t } = useTranslation();
  if (rows.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long result is scrolled by keyboard
    <ul className={styles.results} aria-label={t('list.bulk.resultRows')} tabIndex={0}>
      {rows.slice(0, LISTED_MAX).map(({ id, name, kind, text, isByServer }) => {
        const Sign = icons[kind];
        return (
          <li key={id} data-kind={kind}>
            <Sign size={16} stroke={2} aria-hidden="true" />
            <b>{name}</b>
            {isByServer ? <ServerSentence text={text} /> : <span>{text}</span>}
          </li>
        );
      })}
      {rows.length > LISTED_MAX && (
        <li data-kind="stayed">
          <span>{t('list.bulk.moreRows', { count: rows.length - LISTED_MAX })}</span>
        </li>
      )}
    </ul>
  );
}
