import styles from './brand.module.css';
import { Mark } from './mark.tsx';

/** The site's mark and name, or the operator's own logo. */
export function Brand({
  name,
  logoUrl,
  size = 28,
}: {
  name: string;
  logoUrl?: string | null;
  size?: number;
}) {
  return (
    <span className={styles.brand} data-small={size < 26 || undefined}>
      {logoUrl ? <img src={logoUrl} alt="" width={size} height={size} /> : <Mark size={size} isBrand />}
      {name}
    </span>
  );
}
