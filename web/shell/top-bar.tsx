import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSiteConfig } from '#web/client/session.ts';
import { BalancePill } from '#web/ui/balance-pill.tsx';
import { Brand } from '#web/ui/brand.tsx';
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
        <BalancePill isLink />
        <UserButton />
      </div>
    </header>
  );
}
