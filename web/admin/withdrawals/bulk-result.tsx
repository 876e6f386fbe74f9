import { Button } from '@mantine/core';
import { IconCircleCheck, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { refusals } from '#contract/refusals.ts';
import type { FailureCode } from '#web/shell/api.ts';
import { shortenMiddle } from '#web/ui/format.ts';
import styles from './bulk-dialog.module.css';

export type BulkOutcome = {
  decision: 'approved' | 'rejected';
  processed: number;
  failed: { id: string; name: string | null; reason: string }[];
};

const isCode = (text: string): text is FailureCode => text in refusals;

/** What became of a decision about many: how many were done, and each that was not, with why. */
export function BulkResult({ outcome, onClose }: { outcome: BulkOutcome; onClose: () => void }) {
  const { t } = useTranslation();
  const { processed, failed } = outcome;
  const done = outcome.decision === 'approved' ? 'queue.bulk.resultApproved' : 'queue.bulk.resultRejected';
  return (
    <div role="status">
      <p className={styles.done}>
        <IconCircleCheck size={20} stroke={1.75} aria-hidden="true" />
        {t(done, { count: processed })}
      </p>
      {failed.length > 0 && (
        <>
          <p className={styles.undone}>
            <IconX size={20} stroke={1.75} aria-hidden="true" />
            {t('queue.bulk.resultFailed', { count: failed.length })}
          </p>
          <ul className={styles.failed} aria-label={t('queue.bulk.resultRows')}>
            {failed.map(({ id, name, reason }) => (
              <li key={id}>
                <b className={name === null ? 'mono' : undefined}>{name ?? shortenMiddle(id)}</b>
                <span>{isCode(reason) ? t(`refusals.${reason}`) : reason}</span>
              </li>
            ))}
          </ul>
        </>
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
