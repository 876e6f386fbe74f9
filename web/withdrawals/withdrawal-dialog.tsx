import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readStats } from '#contract/ledger.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FocusReturn } from '#web/ui/focus-return.tsx';
import { useRails } from '#web/ui/rails.ts';
import { below } from '#web/ui/sizes.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { DialogHead } from './dialog-head.tsx';
import { useMethods } from './use-withdrawal.ts';
import styles from './withdrawal-dialog.module.css';
import { WithdrawalForm } from './withdrawal-form.tsx';

export type WithdrawalDialogProps = {
  isOpen: boolean;
  onClose: () => void;
};

/** The withdrawal dialog. Closing it keeps the draft, cancelling ends it; a request opens its own page. */
export function WithdrawalDialog({ isOpen, onClose }: WithdrawalDialogProps) {
  const isPhone = useMediaQuery(below('tablet')) ?? false;
  const navigate = useNavigate();
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      returnFocus={false}
      centered
      fullScreen={isPhone}
      size="auto"
      padding={0}
      closeOnClickOutside={false}
    >
      <Modal.Overlay />
      <Modal.Content radius={isPhone ? 0 : 'xl'} classNames={classNames}>
        <FocusReturn isOpen={isOpen} />
        <DialogBody
          onClose={onClose}
          // The dialog's history entry becomes the request's, so that Back does not open the dialog again.
          onDone={(id) => void navigate({ to: '/withdrawal', search: { request: id }, replace: true })}
        />
      </Modal.Content>
    </Modal.Root>
  );
}

const classNames = { content: styles.content ?? '' };

function DialogBody({ onClose, onDone }: { onClose: () => void; onDone: (id: string) => void }) {
  const { t } = useTranslation();
  const methods = useMethods();
  const stats = useRead(readStats);
  // The form checks addresses and names coins by these facts.
  const rails = useRails();
  if (
    methods.data !== undefined &&
    methods.data.length > 0 &&
    stats.data !== undefined &&
    rails.data !== undefined
  ) {
    return (
      <WithdrawalForm methods={methods.data} balance={stats.data.balance} onClose={onClose} onDone={onDone} />
    );
  }
  const failure = methods.error ?? stats.error ?? rails.error;
  return (
    <div className={styles.plain}>
      <DialogHead onClose={onClose} />
      {failure !== null ? (
        <ErrorState
          title={t('withdrawals.dialog.methodsFailed')}
          text={t('withdrawals.failedText')}
          requestId={requestIdOf(failure)}
          onRetry={() => void Promise.all([methods.refetch(), stats.refetch(), rails.refetch()])}
        />
      ) : methods.data?.length === 0 ? (
        <EmptyState title={t('withdrawals.dialog.title')} text={t('withdrawals.dialog.noMethod')} />
      ) : (
        <SkeletonRows count={3} />
      )}
    </div>
  );
}
