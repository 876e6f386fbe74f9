import { useDebouncedValue } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import { readUser } from '#contract/members-accounts.ts';
import { Fact, FactList } from '#web/admin/kit/sheet-parts.tsx';
import { formatAmount, formatSigned, toPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import styles from './chargebacks.module.css';

const MEMBER_ID = /^[1-9]\d{8}$/;
const SETTLED_MS = 250;

const balanceText = (points: bigint): string =>
  points < 0n ? `${formatSigned(points)}\u00a0P` : formatAmount(points);

/** Whom a chargeback reaches and what it leaves, once a member's id is typed. It says when a debt remains. */
export function ReceiverLine({ member, points }: { member: string; points: bigint }) {
  const { t } = useTranslation();
  const [id] = useDebouncedValue(member.trim(), SETTLED_MS);
  const isId = MEMBER_ID.test(id);
  const { data } = useRead(readUser, { params: { id } }, { enabled: isId, retry: false });
  if (!isId || data === undefined || id !== member.trim()) return null;
  const now = toPoints(data.balance);
  const then = now - points;
  return (
    <div className={styles.slip}>
      <FactList>
        <Fact label={t('chargebackList.columns.member')}>
          {fullNameOf(data)}, {data.email}
        </Fact>
        <Fact label={t('chargebackList.form.now')}>{balanceText(now)}</Fact>
        <Fact label={t('chargebackList.form.taken')}>{formatSigned(-points)} P</Fact>
        <Fact label={t('chargebackList.form.then')}>
          <b>{balanceText(then)}</b>
        </Fact>
      </FactList>
      {then < 0n && (
        <p className={styles.fine}>{t('chargebackList.form.debt', { amount: formatAmount(-then) })}</p>
      )}
    </div>
  );
}
