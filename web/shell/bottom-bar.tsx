import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from './bottom-bar.module.css';
import { BottomChatButton } from './chat-buttons.tsx';
import { bottomLinks, LINKS_BEFORE_CHAT } from './navigation.ts';
import type { SidePanelState } from './use-side-panel.ts';

/** The navigation of a phone, within reach of a thumb. */
export function BottomBar({ panel }: { panel: SidePanelState }) {
  const { t } = useTranslation();
  return (
    <nav className={styles.bar} aria-label={t('nav.mainBottom')}>
      <Links links={bottomLinks.slice(0, LINKS_BEFORE_CHAT)} />
      <BottomChatButton panel={panel} />
      <Links links={bottomLinks.slice(LINKS_BEFORE_CHAT)} />
    </nav>
  );
}

function Links({ links }: { links: readonly (typeof bottomLinks)[number][] }) {
  const { t } = useTranslation();
  return links.map(({ to, label, icon: Icon, exact }) => (
    <Link key={to} to={to} activeOptions={{ exact, includeSearch: false }}>
      <Icon size={20} stroke={1.75} aria-hidden="true" />
      <span>{t(label)}</span>
    </Link>
  ));
}
