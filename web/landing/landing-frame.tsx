import { IconLanguage } from '@tabler/icons-react';
import clsx from 'clsx';
import { Brand } from '#web/ui/brand.tsx';
import button from '#web/ui/plain-button.module.css';
import styles from './landing.module.css';
import type { LandingProps } from './landing.tsx';

/** The front page's head: where to go on the page, and the two ways in. */
export function LandingTop({ t, brandName, language, onLanguage }: LandingProps) {
  return (
    <header className={styles.top}>
      <div className={clsx('wrap', styles.topInner)}>
        <a href="/">
          <Brand name={brandName} />
        </a>
        <nav aria-label={t('nav.main')}>
          <a href="#ways">{t('landing.nav.ways')}</a>
          <a href="#why">{t('landing.nav.why', { brand: brandName })}</a>
        </nav>
        <span className={styles.onlyDesk}>
          <LanguageButton t={t} language={language} onLanguage={onLanguage} />
        </span>
        <a className={clsx(button.button, button.small, button.quiet)} href="/auth">
          {t('landing.nav.login')}
        </a>
        <a className={clsx(button.button, button.small, button.green)} href="/auth?tab=register">
          {t('landing.nav.start')}
        </a>
      </div>
    </header>
  );
}

type LanguageButtonProps = Pick<LandingProps, 't' | 'language'> & {
  onLanguage: LandingProps['onLanguage'] | undefined;
};

function LanguageButton({ language, onLanguage }: LanguageButtonProps) {
  const other = language === 'en' ? 'ko' : 'en';
  return (
    <button
      type="button"
      className={styles.language}
      lang={other}
      data-language={other}
      onClick={onLanguage === undefined ? undefined : () => onLanguage(other)}
    >
      <IconLanguage size={16} stroke={2} aria-hidden="true" />
      {other === 'ko' ? '한국어' : 'English'}
    </button>
  );
}

export function LandingFooter({ t, brandName, supportEmail, language, onLanguage }: LandingProps) {
  return (
    <footer className={styles.footer}>
      <div className={clsx('wrap', styles.footerInner)}>
        <span className={styles.footerBrand}>
          <Brand name={brandName} size={22} />
        </span>
        <a href="/earn">{t('nav.earn')}</a>
        <a href="/withdrawal">{t('nav.withdraw')}</a>
        <a href="/history">{t('nav.history')}</a>
        {supportEmail !== null && <a href={`mailto:${supportEmail}`}>{supportEmail}</a>}
        <LanguageButton t={t} language={language} onLanguage={onLanguage} />
      </div>
    </footer>
  );
}
