import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readStats } from '#contract/ledger.ts';
import { formatAmount } from '#web/client/format.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { Brand } from '#web/ui/brand.tsx';
import { CoinGlyph } from '#web/ui/coin-glyph.tsx';
import { BellLink } from './bell-link.tsx';
import { TopChatButton } from './chat-buttons.tsx';
import { MenuButton } from './menu-button.tsx';
import { topLinks } from './navigation.ts';
import styles from './top-bar.module.css';
import type { SidePanelState } from './use-side-panel.ts';
import { UserButton } from './user-button.tsx';

export function TopBar({ panel }: { panel: SidePanelState }) {
  const { t } = useTranslation();
  const brand = useSiteConfig().data?.brand;
  return (
    <header className={styles.bar}>
      <div className={`wrap ${styles.inner}`}>
        <MenuButton />
        <Link to="/" className={styles.brand}>
          <Brand name={brand?.name ?? 'Earnest'} logoUrl={brand?.logoUrl ?? null} />
        </Link>
        <nav className={styles.nav} aria-label={t('nav.main')}>
          {topLinks.map(({ to, label, exact }) => (
            <Link key={to} to={to} activeOptions={{ exact, includeSearch: false }}>
              {t(label)}
            </Link>
          ))}
        </nav>
        <TopChatButton panel={panel} />
        <BellLink />
        <BalancePill />
        <UserButton />
      </div>
    </header>
  );
}

/** The balance. Highlights a change for a second, without animating the number. */
function BalancePill() {
  const { t } = useTranslation();
  const balance = useRead(readStats).data?.balance;
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

  return (
    <Link to="/withdrawal" className={`num ${styles.pill}`} data-new={isNew || undefined}>
      <span className="visually-hidden">{t('nav.balance')} </span>
      <CoinGlyph />
      {balance === undefined ? <span className={styles.unknown} aria-hidden="true" /> : formatAmount(balance)}
    </Link>
  );
}
