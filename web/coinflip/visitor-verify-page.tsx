import { useSiteConfig } from '#web/client/session.ts';
import { Brand } from '#web/ui/brand.tsx';
import { LanguageLink } from '#web/ui/language-link.tsx';
import { VerifyPage } from './verify-page.tsx';
import styles from './visitor-verify-page.module.css';

/** The page that checks a game, for visitors, with the site's name as its only header. */
export function VisitorVerifyPage() {
  const brand = useSiteConfig().data?.brand;
  return (
    <>
      <header className={`wrap ${styles.head}`}>
        <a href="/">
          <Brand name={brand?.name ?? 'Earnest'} logoUrl={brand?.logoUrl ?? null} />
        </a>
        <LanguageLink />
      </header>
      <main id="main" tabIndex={-1} className={`wrap ${styles.main}`}>
        <VerifyPage isMember={false} />
      </main>
    </>
  );
}
