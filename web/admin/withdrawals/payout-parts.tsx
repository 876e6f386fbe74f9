import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { syncWithdrawal } from '#contract/withdrawals-decisions.ts';
import { Fact } from '#web/admin/kit/sheet-parts.tsx';
import { useSheetKey } from '#web/admin/kit/use-sheet-key.ts';
import { groupedByFour } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { findRail, useRails, useRailWords } from '#web/ui/rails.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './request-sheet.module.css';

/** Where a payment goes, to be compared and copied. */
export function Destination({ method, address }: { method: string; address: string }) {
  const { t } = useTranslation();
  const { wordOf } = useRailWords();
  const isCode = findRail(useRails().data, method)?.destination?.kind === 'code';
  const shown = useRef<HTMLDivElement>(null);
  useSheetKey(
    { hotkey: 'C', act: () => shown.current?.querySelector('button')?.click() },
    { label: t('queue.sheet.copyAddress'), caps: ['C'] },
  );
  return (
    <>
      <h3>{wordOf('queue.sheet.address', method)}</h3>
      <div ref={shown} className={styles.address}>
        <span className="mono">{isCode ? groupedByFour(address) : address}</span>
        <CopyButton text={address} label={t('queue.sheet.copyAddress')} size={40} />
      </div>
    </>
  );
}

/** The payment’s name, to be copied. */
export function TransactionFact({ txId }: { txId: string }) {
  const { t } = useTranslation();
  return (
    <Fact label={t('queue.sheet.transaction')}>
      <span className={styles.transaction}>
        <span className="mono">{groupedByFour(txId)}</span>
        <CopyButton text={txId} label={t('queue.sheet.copyTransaction')} />
      </span>
    </Fact>
  );
}

/** Asks for a look at the payout now, instead of at its next turn. */
export function LookAgain({ id }: { id: string }) {
  const { t } = useTranslation();
  const sync = useAct(syncWithdrawal);
  const look = () =>
    sync.mutate({ params: { id } }, { onError: (error) => toast.bad(t(`refusals.${error.code}`)) });
  return (
    <Button variant="subtle" size="sm" mt="sm" ml="-sm" loading={sync.isPending} onClick={look}>
      {t('queue.sheet.sync')}
    </Button>
  );
}
