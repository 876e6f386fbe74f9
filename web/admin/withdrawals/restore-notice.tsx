import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readRestoreState } from '#contract/withdrawals-payouts.ts';
import { CommandLine } from '#web/admin/kit/command-line.tsx';
import type { ListNotice } from '#web/admin/kit/list-notices.tsx';
import {
  RestoreSteps,
  useRestoreApproved,
  useRestoreState,
  useRestoreWaiting,
} from '#web/admin/kit/restore-steps.tsx';
import { ServerSentence } from '#web/admin/kit/server-sentence.tsx';
import { formatAmount, formatTimeInFull, groupedByFour } from '#web/client/format.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { useRailWords } from '#web/ui/rails.ts';

const SHOWN_MAX = 5;

type RestoreState = ReplyOf<typeof readRestoreState>;

/**
 * What was found after an older copy of the database was restored: methods whose payouts wait for a comparison,
 * payments that no payout accounts for, pending requests that may be paid already, and payouts that the copy has
 * approved. Undefined while there is nothing to say.
 */
export function useRestoreNotice(): ListNotice | undefined {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  const data = useRestoreState();
  const held = useRestoreWaiting();
  const approved = useRestoreApproved();
  if (data === undefined) return undefined;
  const { pending, unaccountedCount, checkedCount, approvedCount } = data;
  const isCompared = pending.length + unaccountedCount + checkedCount === 0;
  if (isCompared && approvedCount === 0) return undefined;
  const waiting = pending.map(({ method }) => t('queue.restore.pending', { method: nameOf(method) }));
  const note = isCompared ? approved : (held ?? (waiting.join(' ') || undefined));
  return {
    key: 'restore',
    title: t(isCompared ? 'queue.restore.approvedTitle' : 'queue.restore.title'),
    ...(note !== undefined && { note }),
    content: (close) => <RestoreFacts state={data} onLeave={close} />,
  };
}

function RestoreFacts({
  state: { pending, unaccounted, unaccountedCount, checkedCount },
  onLeave,
}: {
  state: RestoreState;
  onLeave: () => void;
}) {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  return (
    <>
      {pending.map(({ method, reason, trouble }) => (
        <p key={method}>
          {t('queue.restore.pending', { method: nameOf(method) })} <ServerSentence text={reason} />
          {trouble !== null && (
            <>
              {' '}
              <ServerSentence text={trouble} />
            </>
          )}
        </p>
      ))}
      {checkedCount > 0 && <p>{t('queue.restore.checked', { count: checkedCount })}</p>}
      {unaccountedCount > 0 && (
        <>
          <p>{t('queue.restore.unaccounted', { count: unaccountedCount })}</p>
          <ul>
            {unaccounted.slice(0, SHOWN_MAX).map((payment) => (
              <Unaccounted key={`${payment.method} ${payment.txId} ${payment.address}`} payment={payment} />
            ))}
          </ul>
        </>
      )}
      <RestoreSteps onLeave={onLeave} />
    </>
  );
}

function Unaccounted({ payment }: { payment: RestoreState['unaccounted'][number] }) {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  const { method, txId, coinAmount, at, withdrawalId, memberId, points } = payment;
  return (
    <li>
      {nameOf(method)}, <span className="num">{coinAmount}</span>, {formatTimeInFull(at, i18n.language)}
      <br />
      <span className="mono">{groupedByFour(txId)}</span>{' '}
      <CopyButton text={txId} label={t('queue.sheet.copyTransaction')} />
      {memberId !== null && points !== null && (
        <>
          <p>
            {t('queue.restore.paidPoints', { amount: formatAmount(points) })}{' '}
            <Link to="/management-panel-x7k9w/users/member" search={{ id: memberId }} className="link">
              {t('queue.restore.member', { id: memberId })}
            </Link>
          </p>
          <CommandLine
            command={`npm run admin -- revoke --key paid-${withdrawalId} ${memberId} ${points} REASON`}
          />
        </>
      )}
    </li>
  );
}
