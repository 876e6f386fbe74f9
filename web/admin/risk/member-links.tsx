import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from './risk.module.css';

type MemberLinksProps = { members: readonly { id: string; name: string }[]; count: number };

/** Members by name, each leading to their page, and how many more there are. */
export function MemberLinks({ members, count }: MemberLinksProps) {
  const { t } = useTranslation();
  const more = count - members.length;
  return (
    <span className={styles.members}>
      {members.map(({ id, name }) => (
        <Link key={id} to="/management-panel-x7k9w/users/member" search={{ id }}>
          {name}
        </Link>
      ))}
      {more > 0 && <span>{t('fraud.activities.more', { count: more })}</span>}
    </span>
  );
}
