import { ActionIcon, Button, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowBackUp, IconExternalLink, IconPrinter, IconShare2, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { cancelWithdrawal, readWithdrawals } from '#contract/withdrawals.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatAmount, formatDay, formatWorth, toPoints } from '#web/client/format.ts';
import { useBrandName } from '#web/client/session.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FocusReturn } from '#web/ui/focus-return.tsx';
import { findRail, useRails } from '#web/ui/rails.ts';
import { below } from '#web/ui/sizes.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { toast } from '#web/ui/toast.tsx';
import { withdrawalStateOf } from '#web/ui/withdrawal-state.ts';
import { chainPageOf } from './chain-page.ts';
import { Receipt } from './receipt.tsx';
import styles from './receipt-dialog.module.css';
import { paidText, useReceiptTitle, useRimText } from './receipt-title.ts';
import { isRequestId, numberOf } from './request-id.ts';
import { sharePicture } from './share-picture.ts';
import { WAITING_POLL_MS } from './waiting.ts';
import { pageInput } from './withdrawal-list.tsx';
import { type Entry, Progress } from './withdrawal-row.tsx';

type ReceiptDialogProps = { id: string | undefined; onClose: () => void; onClosed: () => void };

/** A request at its own address: its state as it is now, and its receipt. */
export function ReceiptDialog({ id, onClose, onClosed }: ReceiptDialogProps) {
  const isPhone = useMediaQuery(below('tablet'), false, { getInitialValueInEffect: false });
  return (
    <Modal.Root
      opened={id !== undefined}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      size={560}
      centered
      fullScreen={isPhone}
    >
      <Modal.Overlay className={styles.veil} />
      <Modal.Content radius={isPhone ? 0 : 'xl'} classNames={classNames}>
        <FocusReturn isOpen={id !== undefined} />
        {id !== undefined && <Request id={id.toLowerCase()} onClose={onClose} />}
      </Modal.Content>
    </Modal.Root>
  );
}

const classNames = { content: styles.content ?? '' };

/** Reads the one withdrawal. Asks for no invalid id. */
function useRequest(id: string) {
  const list = useRead(readWithdrawals, pageInput({ page: 1, limit: 1, containing: id }), {
    enabled: isRequestId(id),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ waitsFor, payoutState }) => waitsFor !== null || payoutState === 'queued')
        ? WAITING_POLL_MS
        : false,
  });
  return { ...list, entry: list.data?.data.find((one) => one.id === id) };
}

function Request({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { entry, data, error, refetch } = useRequest(id);
  const titleOf = useReceiptTitle();
  return (
    <>
      <div className={styles.head}>
        <Modal.Title className={styles.title} tabIndex={-1} data-autofocus>
          {entry === undefined ? t('withdrawals.receipt.label') : titleOf(entry)}
        </Modal.Title>
        <ActionIcon onClick={onClose} aria-label={t('common.close')}>
          <IconX size={20} stroke={1.75} />
        </ActionIcon>
      </div>
      {entry !== undefined ? (
        <Shown entry={entry} onClose={onClose} />
      ) : (
        <div className={styles.now}>
          {data !== undefined || !isRequestId(id) ? (
            <EmptyState title={t('withdrawals.receipt.gone')} text={t('withdrawals.receipt.goneText')} />
          ) : error === null ? (
            <SkeletonRows count={3} />
          ) : (
            <ErrorState
              title={t('withdrawals.receipt.failed')}
              text={t('withdrawals.receipt.failedText')}
              requestId={requestIdOf(error)}
              onRetry={() => void refetch()}
            />
          )}
        </div>
      )}
    </>
  );
}

function Shown({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { t } = useTranslation();
  const isPaid = withdrawalStateOf(entry).doneCount === 4;
  return (
    <>
      {!isPaid && (
        <div className={styles.now}>
          <Progress entry={entry} isTimed />
          {entry.isCancellable && <CancelBox entry={entry} />}
        </div>
      )}
      <Receipt entry={entry} isPaid={isPaid} />
      <div className={styles.foot} data-receipt={!isPaid || undefined}>
        <MainButton entry={entry} onClose={onClose} />
        {isPaid && <ShareButton entry={entry} />}
        <Button
          variant="default"
          onClick={() => window.print()}
          leftSection={<IconPrinter size={20} stroke={1.75} aria-hidden="true" />}
        >
          {t('withdrawals.receipt.print')}
        </Button>
      </div>
      {isPaid && (
        <p className={clsx('small dim', styles.fine)}>
          {t('withdrawals.receipt.shareNote')}{' '}
          <Link to="/earn" className="link">
            {t('withdrawals.receipt.earnNext')}
          </Link>
        </p>
      )}
    </>
  );
}

/** Leads to the public page of the payment. Where there is none it closes the receipt. */
function MainButton({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { t } = useTranslation();
  const rail = findRail(useRails().data, entry.method);
  const page = rail === undefined ? null : chainPageOf(entry, rail);
  if (page === null)
    return (
      <Button onClick={onClose} className={styles.done}>
        {t('withdrawals.receipt.done')}
      </Button>
    );
  return (
    <Button
      component="a"
      href={page}
      target="_blank"
      rel="noopener noreferrer"
      leftSection={<IconExternalLink size={20} stroke={1.75} aria-hidden="true" />}
    >
      {t('withdrawals.receipt.onChain')}
    </Button>
  );
}

function ShareButton({ entry }: { entry: Entry }) {
  const { t, i18n } = useTranslation();
  const brand = useBrandName();
  const rim = useRimText(entry.id);
  const rail = findRail(useRails().data, entry.method);
  const amount = toPoints(entry.amount);
  const texts = {
    brand,
    amount: paidText(entry, rail?.currency ?? ''),
    worth: t('withdrawals.receipt.worth', {
      dollars: formatWorth(amount - toPoints(entry.fee)),
      points: formatAmount(amount),
    }),
    rim,
    stamp: t('withdrawals.receipt.stamp'),
    day: formatDay(entry.processedAt ?? entry.createdAt, i18n.language),
  };
  return (
    <Button
      variant="default"
      onClick={() =>
        void sharePicture(texts, `withdrawal-${numberOf(entry.id)}`).catch(() =>
          toast.bad(t('withdrawals.receipt.notShared')),
        )
      }
      leftSection={<IconShare2 size={20} stroke={1.75} aria-hidden="true" />}
    >
      {t('withdrawals.receipt.share')}
    </Button>
  );
}

/** Takes the request back by one press. Its points return at once, so nothing is lost by it. */
function CancelBox({ entry: { id, amount } }: { entry: Entry }) {
  const { t } = useTranslation();
  const { mutate, isPending } = useAct(cancelWithdrawal);
  const cancel = () =>
    mutate(
      { params: { id } },
      {
        onSuccess: () => toast.ok(t('withdrawals.cancelled', { amount: formatAmount(amount) })),
        onError: (error) => toast.bad(t(`refusals.${error.code}`)),
      },
    );
  return (
    <div className={styles.mind}>
      <IconArrowBackUp size={20} stroke={1.75} aria-hidden="true" />
      <p id="mind">{t('withdrawals.receipt.mind')}</p>
      <Button variant="default" size="sm" loading={isPending} aria-describedby="mind" onClick={cancel}>
        {t('withdrawals.receipt.cancel')}
      </Button>
    </div>
  );
}
