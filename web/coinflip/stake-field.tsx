import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { BET_POINTS_MAX, BET_POINTS_MIN } from '#contract/coinflip.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './stake-field.module.css';

const quickBets = [10, 25, 50, 100, 250, 500];

type StakeFieldProps = {
  bet: string;
  error: string | undefined;
  isDisabled: boolean;
  onChange: (text: string) => void;
};

/** The stake in points, typed or chosen from usual amounts. */
export function StakeField({ bet, error, isDisabled, onChange }: StakeFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const range = t('coinflip.range', { from: BET_POINTS_MIN, to: BET_POINTS_MAX });
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        <FieldLabel text={t('coinflip.stake')} help={<span className="num">{range}</span>} />
      </label>
      <div className={styles.frame} data-error={error !== undefined || undefined}>
        <input
          id={id}
          name="bet"
          className="num"
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={bet}
          disabled={isDisabled}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={(event) => onChange(event.currentTarget.value.trim())}
        />
        <span aria-hidden="true">P</span>
      </div>
      {error !== undefined && (
        <div id={`${id}-error`} className={styles.error} role="alert">
          {fieldError(error)}
        </div>
      )}
      <fieldset className={styles.quick} disabled={isDisabled}>
        <legend className="visually-hidden">{t('coinflip.quick')}</legend>
        {quickBets.map((amount) => (
          <button
            key={amount}
            type="button"
            className="num"
            aria-pressed={bet === String(amount)}
            onClick={() => onChange(String(amount))}
          >
            {amount}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
