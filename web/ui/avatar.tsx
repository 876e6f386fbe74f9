import styles from './avatar.module.css';
import { initialsOf } from './initials.ts';

/**
 * A person's initials in a circle, beside the name. Another size is set around it by `--avatar-size` and
 * `--avatar-text`.
 */
export function Avatar({ person }: { person: Parameters<typeof initialsOf>[0] }) {
  return (
    <span className={styles.avatar} aria-hidden="true">
      {initialsOf(person)}
    </span>
  );
}
