import { IconHistory, IconLifebuoy, IconShieldLock, IconWallet } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSiteConfig } from '#web/client/session.ts';
import styles from './history-page.module.css';

/**
 * The links at the end of the history on a phone: withdrawal, history, support and privacy. They end the page and
 * don't stick to the window, because the site's bottom bar does.
 */
export function HistoryLinks() {
  const { t } = useTranslation();
  const email = useSiteConfig().data?.brand.supportEmail;
  return (
    <nav className={styles.links} aria-label={t('history.links')}>
      <Link to="/withdrawal">
        <IconWallet size={20} stroke={1.75} aria-hidden="true" />
        <span>{t('history.linkTo.withdraw')}</span>
      </Link>
      <Link to="/history" activeOptions={{ includeSearch: false }}>
        <IconHistory size={20} stroke={1.75} aria-hidden="true" />
        <span>{t('history.linkTo.history')}</span>
      </Link>
      <a href={`mailto:${email ?? ''}`}>
        <IconLifebuoy size={20} stroke={1.75} aria-hidden="true" />
        <span>{t('history.linkTo.support')}</span>
      </a>
      <a href="/privacy">
        <IconShieldLock size={20} stroke={1.75} aria-hidden="true" />
        <span>{t('history.linkTo.privacy')}</span>
      </a>
    </nav>
  );
}
