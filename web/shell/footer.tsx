import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSiteConfig } from '#web/client/session.ts';
import { Brand } from '#web/ui/brand.tsx';
import { LanguageLink } from '#web/ui/language-link.tsx';
import styles from './footer.module.css';

/** Links on every screen. Content pages are separate documents, so their links are plain anchors. */
export function Footer() {
  const { t } = useTranslation();
  const brand = useSiteConfig().data?.brand;
  return (
    <footer className={styles.footer}>
      <div className={`wrap ${styles.inner}`}>
        <span className={styles.brand}>
          <Brand name={brand?.name ?? 'Earnest'} logoUrl={brand?.logoUrl ?? null} size={22} />
        </span>
        <nav className={styles.links} aria-label={t('nav.footer')}>
          <Link to="/earn">{t('nav.earn')}</Link>
          <Link to="/withdrawal">{t('nav.withdraw')}</Link>
          <Link to="/referrals">{t('nav.referrals')}</Link>
          <Link to="/history">{t('nav.history')}</Link>
          <a href="/faq">{t('nav.faq')}</a>
          <a href="/privacy">{t('nav.privacy')}</a>
          <a href="/terms">{t('nav.terms')}</a>
        </nav>
        {brand !== undefined && <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>}
        <LanguageLink />
      </div>
    </footer>
  );
}
