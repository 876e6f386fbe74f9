import { type Icon, IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './banner.module.css';

type BannerProps = { title: string; icon?: Icon; children: ReactNode };

/** Says what needs an operator's eyes: above the list, or in the sheet of a request. */
export function Banner({ title, icon: Sign = IconAlertTriangle, children }: BannerProps) {
  return (
    <section className={styles.banner} role="status" aria-label={title}>
      <Sign size={20} stroke={1.75} aria-hidden="true" />
      <div>
        <p className={styles.title}>{title}</p>
        {children}
      </div>
    </section>
  );
}
