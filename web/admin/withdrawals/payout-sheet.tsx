import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ListedPayout } from '#contract/withdrawals-payouts.ts';
import { Fact, FactList, SheetFacts, SheetPerson, SheetSum } from '#web/admin/kit/sheet-parts.tsx';
import { formatDollars, formatTime, formatTimeInFull } from '#web/client/format.ts';
import { findRail, useRails } from '#web/ui/rails.ts';
import { PayoutBadge } from './payout-badge.tsx';
import { PayoutFoot, troubleActsOf } from './payout-foot.tsx';
import { Destination, LookAgain, TransactionFact } from './payout-parts.tsx';
import { TroubleBanner, targetOf, usePayoutCourse } from './payout-trouble.tsx';
import styles from './payouts.module.css';

type PayoutSheetProps = { row: ListedPayout; onClose: () => void };

/** One payout: what is paid to whom, why it is not done, who works on it, and what an operator can do about it. */
export function PayoutSheet({ row, onClose }: PayoutSheetProps) {
  const { t } = useTranslation();
  const rail = findRail(useRails().data, row.method);
  const target = targetOf(row, row, rail);
  return (
    <>
      <SheetFacts>
        <SheetSum points={row.amount} badges={<PayoutBadge payout={row} />}>
          <b className="num">{target.amount}</b>
          <span className="num">{formatDollars(row.amount)}</span>
        </SheetSum>
        {row.isTroubled && <TroubleBanner title={t('queue.payoutSheet.trouble')} target={target} />}
        <SheetPerson
          id={row.userId}
          name={row.userName}
          firstName={row.userFirstName}
          lastName={row.userLastName}
          email={row.userEmail}
        />
        <p className={styles.links}>
          <Link
            to="/management-panel-x7k9w/withdrawals"
            search={{ status: 'all', open: row.id } as object}
            className="link"
          >
            {t('payouts.sheet.request')}
          </Link>
        </p>
        <Destination method={row.method} address={row.address} />
        <h3>{t('queue.sheet.progress')}</h3>
        <PayoutProgress row={row} />
        {row.acts.includes('check') && <LookAgain id={row.id} />}
      </SheetFacts>
      <Foot row={row} target={target} onClose={onClose} />
    </>
  );
}

function PayoutProgress({ row }: { row: ListedPayout }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const course = usePayoutCourse(row);
  const { holder, finishedAt, txId, dueAt, failReason, isPaused } = row;
  return (
    <FactList>
      <Fact label={t('payouts.columns.state')} {...(course !== '' && { note: course })}>
        {t(`payoutState.${row.state}`)}
      </Fact>
      <Fact label={t('payouts.sheet.approved')}>{formatTime(row.queuedAt, language)}</Fact>
      {finishedAt !== null && (
        <Fact label={t('payouts.sheet.finished')}>{formatTime(finishedAt, language)}</Fact>
      )}
      {finishedAt === null && !isPaused && (
        <Fact label={t('payouts.sheet.due')}>{formatTimeInFull(dueAt, language)}</Fact>
      )}
      {holder !== null && (
        <Fact
          label={t('payouts.sheet.holder')}
          note={t('payouts.sheet.holderSince', { time: formatTimeInFull(holder.since, language) })}
        >
          {t('payouts.sheet.process', { host: holder.host, pid: holder.pid })}
        </Fact>
      )}
      {txId !== null && <TransactionFact txId={txId} />}
      {failReason !== null && <Fact label={t('queue.sheet.reason')}>{failReason}</Fact>}
      <Fact label={t('queue.sheet.id')}>
        <span className="mono">{row.id}</span>
      </Fact>
    </FactList>
  );
}

type FootProps = PayoutSheetProps & { target: ReturnType<typeof targetOf> };

/** The acts that exist for this operator; without any, why there are none. */
function Foot({ row, target, onClose }: FootProps) {
  const { t } = useTranslation();
  const isOwn = row.finishedAt === null && row.acts.length === 1 && row.isTroubled;
  const course = row.isPaused ? 'paused' : 'course';
  const fine =
    troubleActsOf(row.acts).length > 0
      ? t('queue.payoutSheet.fine')
      : t(`payouts.fine.${row.finishedAt !== null ? 'finished' : isOwn ? 'own' : course}`);
  return (
    <PayoutFoot request={row} acts={row.acts} target={target} fine={fine} onUndone={onClose}>
      <Button variant="default" className={styles.act} onClick={onClose}>
        {t('common.close')}
      </Button>
    </PayoutFoot>
  );
}
