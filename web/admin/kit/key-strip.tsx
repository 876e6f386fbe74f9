import { useTranslation } from 'react-i18next';
import { KeyCaps } from './key-caps.tsx';
import styles from './key-strip.module.css';
import { areSingleKeysOn, useMountedKeys } from './keys.ts';

/** The keys of this screen, below its list, where there is a keyboard. All keys are behind `?`. */
export function KeyStrip() {
  const { t } = useTranslation();
  const lines = useMountedKeys()
    .flatMap((group) => group.lines)
    .filter(({ isOnStrip }) => isOnStrip);
  if (!areSingleKeysOn()) return null;
  return (
    <p className={styles.strip} aria-hidden="true">
      {[{ label: t('list.keys.all'), caps: ['?'] }, ...lines].map(({ label, caps, isSequence }) => (
        <span key={caps.join(' ')}>
          <KeyCaps caps={caps} isSequence={isSequence} /> {label}
        </span>
      ))}
    </p>
  );
}
