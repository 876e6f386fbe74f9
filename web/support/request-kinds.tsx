import { type Icon, IconArrowBackUp, IconCoins, IconDots, IconUser, IconWallet } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { TicketCategory } from '#contract/support.ts';
import styles from './request-dialog.module.css';

const icons: Record<TicketCategory, Icon> = {
  credit: IconCoins,
  withdrawal: IconWallet,
  chargeback: IconArrowBackUp,
  account: IconUser,
};
const kinds = [...(Object.keys(icons) as TicketCategory[]), null];

type RequestKindsProps = { kind: TicketCategory | null; onChange: (kind: TicketCategory | null) => void };

/** The kinds of requests. Something else is none of them, and is what is chosen first: the form stands below. */
export function RequestKinds({ kind, onChange }: RequestKindsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={styles.choice}>
      <legend>{t('support.kinds.about')}</legend>
      <div className={styles.kinds}>
        {kinds.map((one) => {
          const Sign = one === null ? IconDots : icons[one];
          return (
            <label key={one}>
              <input type="radio" name="kind" checked={one === kind} onChange={() => onChange(one)} />
              <Sign size={20} stroke={1.75} aria-hidden="true" />
              <span>{t(`support.kinds.${one ?? 'other'}`)}</span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
