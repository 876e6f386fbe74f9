import clsx from 'clsx';
import type { ReactNode } from 'react';
import styles from './balance-card.module.css';

type BalanceCardProps = {
  children: ReactNode;
  className?: string | undefined;
  artWidth?: number;
  labelledBy?: string;
  busy?: boolean;
};

/** The green card behind a balance, with a darker left edge and a coin's ring on the right. One per screen. */
export function BalanceCard({ children, className, labelledBy, busy }: BalanceCardProps) {
  return (
    <section
      className={clsx(styles.card, className)}
      aria-labelledby={labelledBy}
      aria-busy={busy || undefined}
    >
      <CardArt />
      {children}
    </section>
  );
}

export function CardArt() {
  return (
    <svg className={styles.art} viewBox="0 0 400 400" aria-hidden="true" data-art>
      <circle cx="200" cy="200" r="186" strokeWidth="20" strokeDasharray="2.4 6.456" />
      <circle cx="200" cy="200" r="166" strokeWidth="1.2" />
      <circle cx="200" cy="200" r="156" strokeWidth="1.2" strokeDasharray="1 5" />
      <path d="M128 203H272A73 73 0 1 0 251 253" strokeWidth="30" strokeLinecap="round" />
    </svg>
  );
}
