import styles from './avatar.module.css';
import { initialsOf } from './initials.ts';

type AvatarProps = {
  person: Parameters<typeof initialsOf>[0];
  /** In a row or a sheet, at the head of a page, or on the member's own profile. */
  size?: 'row' | 'head' | 'profile';
};

/** A person's initials in a circle, beside the name. */
export function Avatar({ person, size = 'row' }: AvatarProps) {
  return (
    <span className={styles.avatar} data-size={size} aria-hidden="true">
      {initialsOf(person)}
    </span>
  );
}
