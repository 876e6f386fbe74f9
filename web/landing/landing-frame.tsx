import { IconArrowLeft, IconLanguage } from '@tabler/icons-react';
import clsx from 'clsx';
import type { TFunction } from 'i18next';
import { type Language, languageNames } from '#web/client/languages.ts';
import { Brand } from '#web/ui/brand.tsx';
import button from '#web/ui/plain-button.module.css';
import styles from './landing.module.css';
import { morePages } from './more-pages.ts';

export type FrameProps = {
  t: TFunction;
  language: Language;
  brandName: string;
  supportEmail: string | null;
  /** Set inside the app. A prerendered page is requested again in the other language instead. */
  onLanguage?: (language: Language) => void;
};

const ownLinks = ['faq', 'help', 'about', 'contact'] as const;

/**
 * The header of the front page and of the text pages: navigation, and links to log in and register. Members read text
 * pages too, and get a link back instead.
 */
export function LandingTop(props: FrameProps & { isText?: boolean }) {
  const { t, brandName, language, onLanguage, isText = false } = props;
  return (
    <header className={styles.top}>
      <div className={clsx('wrap', styles.topInner)}>
        <a href="/">
          <Brand name={brandName} />
        </a>
        <nav aria-label={t('landing.nav.main')}>
          {isText ? (
            ownLinks.map((name) => (
              <a key={name} href={`/${name}`}>
                {t(`pages.${name}`)}
              </a>
            ))
          ) : (
            <>
              <a href="#ways">{t('landing.nav.ways')}</a>
              <a href="#why">{t('landing.nav.why', { brand: brandName })}</a>
              <a href="/faq">{t('pages.faq')}</a>
            </>
          )}
        </nav>
        <span className={styles.onlyDesk}>
          <LanguageLink language={language} onLanguage={onLanguage} />
        </span>
        <a className={clsx(button.button, button.small, button.quiet, styles.forVisitor)} href="/auth">
          {t('landing.nav.login')}
        </a>
        <a
          className={clsx(button.button, button.small, button.green, styles.forVisitor)}
          href="/auth?tab=register"
        >
          {t('landing.nav.start')}
        </a>
        {isText && (
          <a className={clsx(button.button, button.small, button.outline, styles.forMember)} href="/">
            <IconArrowLeft size={16} stroke={2} aria-hidden="true" />
            {t('pages.back')}
          </a>
        )}
      </div>
    </header>
  );
}

type LanguageLinkProps = { language: Language; onLanguage: FrameProps['onLanguage'] | undefined };

function LanguageLink({ language, onLanguage }: LanguageLinkProps) {
  const other = language === 'en' ? 'ko' : 'en';
  return (
    <a
      className={styles.language}
      href={`?lang=${other}`}
      lang={other}
      hrefLang={other}
      data-language={other}
      onClick={
        onLanguage === undefined
          ? undefined
          : (event) => {
              event.preventDefault();
              onLanguage(other);
            }
      }
    >
      <IconLanguage size={16} stroke={2} aria-hidden="true" />
      {languageNames[other]}
    </a>
  );
}

const screens = ['earn', 'withdraw', 'referrals', 'history'] as const;
const screenPaths = {
  earn: '/earn',
  withdraw: '/withdrawal',
  referrals: '/referrals',
  history: '/history',
} as const;
const textPages = ['faq', 'help', 'about', 'contact', ...morePages, 'privacy', 'terms', 'cookies'] as const;

export function LandingFooter({ t, brandName, supportEmail, language, onLanguage }: FrameProps) {
  return (
    <footer className={styles.footer}>
      <div className={clsx('wrap', styles.footerInner)}>
        <span className={styles.footerBrand}>
          <Brand name={brandName} size={22} />
        </span>
        <nav className={styles.footerLinks} aria-label={t('pages.footer')}>
          {screens.map((screen) => (
            <a key={screen} href={screenPaths[screen]}>
              {t(`pages.screens.${screen}`)}
            </a>
          ))}
          {textPages.map((name) => (
            <a key={name} href={`/${name}`}>
              {t(`pages.${name}`)}
            </a>
          ))}
          {supportEmail !== null && <a href={`mailto:${supportEmail}`}>{supportEmail}</a>}
          <LanguageLink language={language} onLanguage={onLanguage} />
        </nav>
      </div>
    </footer>
  );
}
