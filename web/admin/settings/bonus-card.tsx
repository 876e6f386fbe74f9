import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { BONUS_DAYS } from '#contract/site.ts';
import { formatAmount, formatDollars } from '#web/client/format.ts';
import { fieldError } from '#web/ui/field-parts.tsx';
import styles from './brand-card.module.css';
import { wholeOf } from './fields.tsx';
import settings from './settings.module.css';
import type { Form } from './use-site-form.ts';

const WEEK = 7;
/** A day's field is too narrow for a sentence, which stands below all days and describes the field. */
const hiddenError = { error: 'visually-hidden' };

/** The points of the first seven days in a row; undefined while one is no number. */
function weekOf(schedule: readonly string[]): number | undefined {
  const days = schedule.slice(0, WEEK).map(wholeOf);
  return days.reduce<number | undefined>(
    (sum, points) => (sum === undefined || points === undefined ? undefined : sum + points),
    0,
  );
}

/** The schedule of the daily bonus, a field a day. */
export function BonusCard({ form: { draft, change, messageOf } }: { form: Form }) {
  const { t } = useTranslation();
  const { bonusSchedule } = draft;
  const week = weekOf(bonusSchedule);
  const messages = bonusSchedule.map((_, index) => messageOf(`bonusSchedule.${index}`));
  const wrong = messages.findIndex((message) => message !== undefined);
  return (
    <section className={settings.card} aria-label={t('siteSettings.bonus.title')}>
      <h2>{t('siteSettings.bonus.title')}</h2>
      <p className={settings.help}>{t('siteSettings.bonus.text')}</p>
      <div className={styles.days}>
        {bonusSchedule.map((points, index) => (
          <TextInput
            // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place in the row.
            key={index}
            inputMode="numeric"
            label={t('siteSettings.bonus.day', { day: index + 1 })}
            value={points}
            maxLength={9}
            autoComplete="off"
            error={messages[index]}
            classNames={hiddenError}
            onChange={(event) =>
              change({ bonusSchedule: bonusSchedule.with(index, event.currentTarget.value) })
            }
          />
        ))}
      </div>
      {wrong >= 0 && (
        <div className={styles.fault} role="alert">
          {fieldError(`${t('siteSettings.bonus.day', { day: wrong + 1 })}: ${messages[wrong]}`)}
        </div>
      )}
      <div className={styles.dayButtons}>
        <Button
          variant="default"
          disabled={bonusSchedule.length >= BONUS_DAYS.max}
          onClick={() => change({ bonusSchedule: [...bonusSchedule, bonusSchedule.at(-1) ?? ''] })}
        >
          {t('siteSettings.bonus.add')}
        </Button>
        <Button
          variant="subtle"
          disabled={bonusSchedule.length <= BONUS_DAYS.min}
          onClick={() => change({ bonusSchedule: bonusSchedule.slice(0, -1) })}
        >
          {t('siteSettings.bonus.remove')}
        </Button>
      </div>
      <p className={settings.help}>
        {week !== undefined &&
          `${t('siteSettings.bonus.week', { amount: formatAmount(week), dollars: formatDollars(week) })} `}
        {t('siteSettings.bonus.effect')}
      </p>
    </section>
  );
}
