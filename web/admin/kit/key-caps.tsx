import { useTranslation } from 'react-i18next';
import styles from './key-caps.module.css';

type KeyCapsProps = { caps: readonly string[]; isSequence?: true | undefined };

/** The caps of keys, with "then" between those of a sequence. */
export function KeyCaps({ caps, isSequence }: KeyCapsProps) {
  const { t } = useTranslation();
  return (
    <span className={styles.caps}>
      {caps.map((cap, index) => (
        <span key={cap} className={styles.caps}>
          {isSequence === true && index > 0 && <i>{t('list.keys.then')}</i>}
          <kbd>{cap}</kbd>
        </span>
      ))}
    </span>
  );
}
