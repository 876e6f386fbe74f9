import { useTranslation } from 'react-i18next';
import { shortenMiddle } from '#web/client/format.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { findRail, useRails } from '#web/ui/rails.ts';
import { chainPageOf } from './chain-page.ts';

/** The id of a payment, which leads to its public page where there is one, and a button that copies it. */
export function TransactionId({ method, txId }: { method: string; txId: string }) {
  const { t } = useTranslation();
  const rail = findRail(useRails().data, method);
  const page = rail === undefined ? null : chainPageOf({ txId }, rail);
  return (
    <>
      {page === null ? (
        <span className="mono" title={txId}>
          {shortenMiddle(txId)}
        </span>
      ) : (
        <a className="link mono" href={page} title={txId} target="_blank" rel="noopener noreferrer">
          {shortenMiddle(txId)}
        </a>
      )}
      <CopyButton text={txId} label={t('withdrawals.copyTx')} />
    </>
  );
}
