import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readReversedEarning } from '#contract/earning.ts';
import { type HistoryEntry, readHistoryEntry } from '#contract/ledger.ts';
import type { MovementKind } from '#contract/movement-kinds.ts';
import { requestIdOf } from '#web/client/call.ts';
import {
  formatAmount,
  formatSigned,
  formatTime,
  formatTimeInFull,
  shortenMiddle,
} from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { type BadgeTone, StatusBadge } from '#web/ui/status-badge.tsx';
import { subjectOf, titleOf } from './describe.ts';
import styles from './open-row.module.css';

type State = 'credited' | 'takenBack' | 'spent' | 'requested' | 'returned';

const stateOf: Record<MovementKind, State> = {
  earning: 'credited',
  bonus: 'credited',
  referral: 'credited',
  grant: 'credited',
  'coinflip-prize': 'credited',
  'coinflip-stake': 'spent',
  reversal: 'takenBack',
  withdrawal: 'requested',
  'withdrawal-return': 'returned',
};
/** A withdrawal's movement is final when it is requested. Its later state is in the list of withdrawals. */
const tones: Record<State, BadgeTone> = {
  credited: 'ok',
  takenBack: 'warn',
  spent: 'plain',
  requested: 'plain',
  returned: 'ok',
};

/** The details that a movement's row leaves out: provider, transaction, reversed earning and balance after. */
export function MovementDetail({ entry }: { entry: HistoryEntry }) {
  const { t, i18n } = useTranslation();
  const state = stateOf[entry.kind];
  const subject = subjectOf(entry, t);
  return (
    <>
      <dl className={styles.facts}>
        <Fact label={t('history.detail.state')}>
          <StatusBadge tone={tones[state]}>{t(`history.detail.states.${state}`)}</StatusBadge>
        </Fact>
        <Fact label={t('history.detail.when')}>{formatTimeInFull(entry.createdAt, i18n.language)}</Fact>
        {entry.provider !== null && <Fact label={t('history.detail.provider')}>{entry.sourceName}</Fact>}
        {subject !== '' && (
          <Fact label={t(entry.kind === 'reversal' ? 'history.detail.reason' : 'history.detail.what')}>
            {subject}
          </Fact>
        )}
        {entry.txId !== null && (
          <Fact label={t('history.detail.transaction')}>
            <Transaction id={entry.txId} />
          </Fact>
        )}
        {entry.kind === 'reversal' && <ReversedEarning id={entry.id} />}
        <BalanceAfter id={entry.id} />
      </dl>
      <More kind={entry.kind} />
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Transaction({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <span className={styles.transaction}>
      <span className="mono" title={id}>
        {shortenMiddle(id, 12)}
      </span>
      <CopyButton text={id} label={t('history.detail.copy')} />
    </span>
  );
}

/** The earning that was reversed. */
function ReversedEarning({ id }: { id: string }) {
  const { t, i18n } = useTranslation();
  const reversed = useRead(readReversedEarning, { params: { id } });
  const earning = reversed.data?.earning;
  return (
    <Fact label={t('history.detail.of')}>
      {reversed.isPending && <span className={styles.bar} aria-hidden="true" />}
      {reversed.isError && t('common.failed')}
      {earning === null && t('history.detail.ofNone')}
      {earning !== null && earning !== undefined && (
        <>
          {titleOf({ ...earning, kind: 'earning' }, t)}{' '}
          <span className="num">{formatSigned(earning.amount)}&nbsp;P</span>
          <span className={styles.small}>
            {formatTime(earning.createdAt, i18n.language)}
            {earning.txId !== null && (
              <>
                {' · '}
                <span className="mono">{shortenMiddle(earning.txId, 12)}</span>
              </>
            )}
          </span>
        </>
      )}
    </Fact>
  );
}

function BalanceAfter({ id }: { id: string }) {
  const { t } = useTranslation();
  const detail = useRead(readHistoryEntry, { params: { id } });
  if (detail.isError)
    return (
      <ErrorState
        title={t('history.failedTitle')}
        text={t('history.failedText')}
        requestId={requestIdOf(detail.error)}
        onRetry={() => void detail.refetch()}
      />
    );
  return (
    <Fact label={t('history.detail.balance')}>
      {detail.data === undefined ? (
        <span className={styles.bar} aria-hidden="true" />
      ) : (
        <>
          <span className="num">{formatAmount(detail.data.balanceAfter)}</span>
          {detail.data.debtAfter !== '0' && (
            <span className={styles.small}>
              {t('history.detail.debt', { amount: formatAmount(detail.data.debtAfter) })}
            </span>
          )}
        </>
      )}
    </Fact>
  );
}

/** Links to the page with more about this kind of movement. */
function More({ kind }: { kind: MovementKind }) {
  const { t } = useTranslation();
  if (kind === 'reversal')
    return (
      <p className={styles.more}>
        <Link to="/chargeback-history" className="link">
          {t('history.chargebacks')}
        </Link>
      </p>
    );
  if (kind === 'withdrawal' || kind === 'withdrawal-return')
    return (
      <p className={styles.more}>
        <Link to="/history" search={{ tab: 'withdrawals' }} className="link">
          {t('history.detail.toWithdrawals')}
        </Link>
      </p>
    );
  return null;
}
