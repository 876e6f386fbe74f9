import type { ReactNode } from 'react';
import { useSiteConfig } from '#web/client/session.ts';
import { Brand } from '#web/ui/brand.tsx';
import { LanguageLink } from '#web/ui/language-link.tsx';
import styles from './sign-in-frame.module.css';

/** The frame of the sign-in screens: the brand, the language link and one card. */
export function SignInFrame({ children, note }: { children: ReactNode; note?: ReactNode }) {
  const brand = useSiteConfig().data?.brand;
  return (
    <div className={styles.frame}>
      <header className={styles.head}>
        <a href="/">
          <Brand name={brand?.name ?? 'Earnest'} logoUrl={brand?.logoUrl ?? null} />
        </a>
        <LanguageLink />
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        <div className={`card ${styles.card}`}>{children}</div>
        {note !== undefined && <div className={styles.note}>{note}</div>}
      </main>
    </div>
  );
}
