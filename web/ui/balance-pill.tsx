import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readStats } from '#contract/ledger.ts';
import { formatAmount } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import styles from './balance-pill.module.css';
import { CoinGlyph } from './coin-glyph.tsx';

/** The balance, as a link or as a figure. Highlights a change for a second, without animating the number. */
export function BalancePill({ isLink = false }: { isLink?: boolean }) {
  const { t } = useTranslation();
  const balance = useRead(readStats).data?.balance;
  const isNew = useChanged(balance);
  const pill = { className: `num ${styles.pill}`, 'data-new': isNew || undefined };
  const content = (
    <>
      <span className="visually-hidden">{t('common.balance')} </span>
      <CoinGlyph />
      {balance === undefined ? <span className={styles.unknown} aria-hidden="true" /> : formatAmount(balance)}
    </>
  );
  if (!isLink) return <p {...pill}>{content}</p>;
  return (
    <Link to="/withdrawal" {...pill}>
      {content}
    </Link>
  );
}

/** True for a second after a known balance has changed. */
function useChanged(balance: string | undefined): boolean {
  const before = useRef(balance);
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    const changed = before.current !== undefined && balance !== before.current;
    before.current = balance;
    if (!changed) return;
    setNew(true);
    const timer = setTimeout(() => setNew(false), 1_000);
    return () => clearTimeout(timer);
  }, [balance]);
  return isNew;
}
