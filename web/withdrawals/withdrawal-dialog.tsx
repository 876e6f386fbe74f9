import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readStats } from '#contract/ledger.ts';
import { requestIdOf } from '#web/shell/api.ts';
import { useRead } from '#web/shell/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { DialogHead } from './dialog-head.tsx';
import { useMethods } from './use-withdrawal.ts';
import styles from './withdrawal-dialog.module.css';
import { WithdrawalForm } from './withdrawal-form.tsx';

/** Asking for a withdrawal, in two steps: the details, then the slip to check. Closing it forgets what was typed. */
export function WithdrawalDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const isPhone = useMediaQuery('(max-width: 47.99em)') ?? false;
  // Opened one beat after it is first drawn: only a change tells the library where the focus has to return to.
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(isOpen), [isOpen]);
  return (
    <Modal.Root
      opened={isShown}
      onClose={onClose}
      centered
      fullScreen={isPhone}
      size="auto"
      padding={0}
      closeOnClickOutside={false}
    >
      <Modal.Overlay />
      <Modal.Content radius={isPhone ? 0 : 'xl'} classNames={classNames}>
        <DialogBody onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  );
}

const classNames = { content: styles.content ?? '' };

function DialogBody({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const methods = useMethods();
  const stats = useRead(readStats);
  if (methods.data !== undefined && methods.data.length > 0 && stats.data !== undefined) {
    return <WithdrawalForm methods={methods.data} balance={stats.data.balance} onClose={onClose} />;
  }
  const failure = methods.error ?? stats.error;
  return (
    <div className={styles.plain}>
      <DialogHead onClose={onClose} />
      {failure !== null ? (
        <ErrorState
          title={t('withdrawals.dialog.methodsFailed')}
          text={t('withdrawals.failedText')}
          requestId={requestIdOf(failure)}
          onRetry={() => void Promise.all([methods.refetch(), stats.refetch()])}
        />
      ) : methods.data?.length === 0 ? (
        <EmptyState title={t('withdrawals.dialog.title')} text={t('withdrawals.dialog.noMethod')} />
      ) : (
        <SkeletonRows count={3} />
      )}
    </div>
  );
}
