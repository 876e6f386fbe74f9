import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Brand } from '#web/ui/brand.tsx';
import styles from './footer.module.css';
import { LanguageLink } from './language-link.tsx';
import { useSiteConfig } from './session.ts';

export function Footer() {
  const { t } = useTranslation();
  const brand = useSiteConfig().data?.brand;
  return (
    <footer className={styles.footer}>
      <div className={`wrap ${styles.inner}`}>
        <span className={styles.brand}>
          <Brand name={brand?.name ?? 'Earnest'} logoUrl={brand?.logoUrl ?? null} size={22} />
        </span>
        <Link to="/earn">{t('nav.earn')}</Link>
        <Link to="/withdrawal">{t('nav.withdraw')}</Link>
        <Link to="/history">{t('nav.history')}</Link>
        {brand !== undefined && <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>}
        <LanguageLink />
      </div>
    </footer>
  );
}
