import { IconSeedling } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type Side, sides } from '#contract/coinflip.ts';
import styles from './side-choice.module.css';

type SideChoiceProps = { side: Side; onChange: (side: Side) => void; isDisabled: boolean };

export function SideChoice({ side, onChange, isDisabled }: SideChoiceProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={styles.sides} disabled={isDisabled}>
      <legend className="visually-hidden">{t('coinflip.side')}</legend>
      {sides.map((one) => (
        <label key={one} className={styles.side}>
          <input type="radio" name="side" value={one} checked={side === one} onChange={() => onChange(one)} />
          {one === 'heads' ? <HeadsIcon /> : <IconSeedling size={20} stroke={1.75} aria-hidden="true" />}
          {t(`coinflip.${one}`)}
        </label>
      ))}
    </fieldset>
  );
}

/** The coin's front as an inline icon. */
const HeadsIcon = () => (
  <svg viewBox="0 0 24 24" width={20} height={20} aria-hidden="true" className={styles.heads}>
    <circle cx="12" cy="12" r="9" />
    <path d="M8.2 12.2h7.6a3.9 3.9 0 1 0-1.2 2.8" />
  </svg>
);
