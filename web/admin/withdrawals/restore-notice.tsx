import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { SentenceName } from '#contract/operator-sentences.ts';
import type { readRestoreState } from '#contract/withdrawals-payouts.ts';
import { CommandLine } from '#web/admin/kit/command-line.tsx';
import type { ListNotice } from '#web/admin/kit/list-notices.tsx';
import { readSentences } from '#web/admin/kit/read-sentences.ts';
import {
  RestoreSteps,
  RestoreWaiting,
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
  const { pending, unaccountedCount, checkedCount, approvedCount, reasons } = data;
  const hasOnlyApproved = pending.length + unaccountedCount + checkedCount === 0;
  if (hasOnlyApproved && approvedCount === 0) return undefined;
  const waiting = pending.map(({ method }) => t('queue.restore.pending', { method: nameOf(method) }));
  const note = hasOnlyApproved ? approved : (held ?? (waiting.join(' ') || undefined));
  const title = () => {
    if (hasOnlyApproved) return 'approvedTitle';
    if (pending.length > 0) return 'title';
    return saysOlderCopy(reasons) ? 'restoredTitle' : 'comparedTitle';
  };
  return {
    key: 'restore',
    title: t(`queue.restore.${title()}`),
    ...(note !== undefined && { note }),
    content: (close) => <RestoreFacts state={data} onLeave={close} />,
  };
}

/** The reasons that show a restored copy. Without a marker, or with a database that is not known, that is not sure. */
const olderCopies: readonly SentenceName[] = [
  'database-older',
  'database-forked',
  'acts-older',
  'acts-forked',
];

const saysOlderCopy = (reasons: readonly string[]): boolean =>
  reasons.flatMap(readSentences).some((part) => part.kind === 'sentence' && olderCopies.includes(part.name));

function RestoreFacts({
  state: { pending, unaccounted, unaccountedCount, checkedCount, reasons },
  onLeave,
}: {
  state: RestoreState;
  onLeave: () => void;
}) {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  const payments =
    unaccountedCount === 0 ? undefined : (
      <>
        <p>{t('queue.restore.unaccounted', { count: unaccountedCount })}</p>
        <ul>
          {unaccounted.slice(0, SHOWN_MAX).map((payment) => (
            <Unaccounted key={`${payment.method} ${payment.txId} ${payment.address}`} payment={payment} />
          ))}
        </ul>
      </>
    );
  return (
    <>
      <RestoreWaiting />
      {reasons.map((reason) => (
        <p key={reason}>
          <ServerSentence text={reason} />
        </p>
      ))}
      {pending.map(({ method, trouble }) => (
        <p key={method}>
          {t('queue.restore.pending', { method: nameOf(method) })}
          {trouble !== null && (
            <>
              {' '}
              <ServerSentence text={trouble} />
            </>
          )}
        </p>
      ))}
      {checkedCount > 0 && (
        <p>
          {t('queue.restore.checked', { count: checkedCount })}{' '}
          <Link
            to="/management-panel-x7k9w/withdrawals"
            search={{ status: 'pending' } as object}
            className="link"
            onClick={onLeave}
          >
            {t('queue.restore.openRequests')}
          </Link>
        </p>
      )}
      <RestoreSteps payments={payments} onLeave={onLeave} />
    </>
  );
}

function Unaccounted({ payment }: { payment: RestoreState['unaccounted'][number] }) {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  const { method, txId, coinAmount, at, memberId, points, advice, paidBy, ...commands } = payment;
  const { revocation, notOwed, neverMade } = commands;
  return (
    <li>
      {nameOf(method)}, <span className="num">{coinAmount}</span>, {formatTimeInFull(at, i18n.language)}
      <br />
      <span className="mono">{groupedByFour(txId)}</span>{' '}
      <CopyButton text={txId} label={t('queue.sheet.copyTransaction')} />
      <p>
        {t(`queue.restore.advice.${advice}`, { amount: formatAmount(points ?? '0') })}{' '}
        {memberId !== null && (
          <Link to="/management-panel-x7k9w/users/member" search={{ id: memberId }} className="link">
            {t('queue.restore.member', { id: memberId })}
          </Link>
        )}
      </p>
      {revocation !== null && <CommandLine command={`npm run admin -- ${revocation} REASON`} />}
      {paidBy !== null && (
        <p>
          {t('queue.restore.paidBy')} <span className="mono">{groupedByFour(paidBy)}</span>
        </p>
      )}
      {notOwed !== null && (
        <>
          <p>{t('queue.restore.notOwed')}</p>
          <CommandLine command={`npm run admin -- ${notOwed} REASON`} />
        </>
      )}
      {neverMade !== null && advice !== 'held' && (
        <>
          <p>{t('queue.restore.neverMade')}</p>
          <CommandLine command={`npm run admin -- ${neverMade} REASON`} />
        </>
      )}
    </li>
  );
}
