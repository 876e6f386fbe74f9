import {
  type Icon,
  IconApps,
  IconChevronDown,
  IconChevronRight,
  IconClipboardText,
  IconDeviceGamepad2,
  IconTag,
  IconVideo,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { readSurveys, readTasks } from '#contract/earning-catalogue.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { formatAge } from '#web/client/format.ts';
import { Amount } from './amount.tsx';
import { Artwork } from './artwork.tsx';
import styles from './listing-row.module.css';

/** An entry of the catalogue, as members read it. */
export type Listing = ReplyOf<typeof readTasks>[number] | ReplyOf<typeof readSurveys>[number];

const icons: Record<Listing['category'], Icon> = {
  video: IconVideo,
  game: IconDeviceGamepad2,
  app: IconApps,
  offer: IconTag,
  general: IconClipboardText,
  market_research: IconClipboardText,
  social_research: IconClipboardText,
};

type ListingRowProps = {
  listing: Omit<Listing, 'url'>;
  /** The name of its provider. */
  providerName: string;
  /** The title, or a link with the title. */
  title: ReactNode;
  /** As on a phone, in a place that is not wider. */
  isNarrow: boolean;
};

/** An entry of the catalogue in a list: picture, title, what it pays and takes, and its steps, which open below it. */
export function ListingRow({ listing, providerName, title, isNarrow }: ListingRowProps) {
  const { t, i18n } = useTranslation();
  const minutes = useMinutes();
  const { id, category, description, reward, createdAt, imageUrl, steps } = listing;
  const Sign = icons[category];
  return (
    <li className={styles.row} data-narrow={isNarrow || undefined}>
      <Artwork imageUrl={imageUrl} id={id} className={styles.artwork} />
      <div className={styles.words}>
        <h3>{title}</h3>
        <p className={styles.text}>{description}</p>
        <p className={styles.meta}>
          <Sign size={14} stroke={2} aria-hidden="true" />
          {[providerName, t(`listing.categories.${category}`), formatAge(createdAt, i18n.language)].join(
            ' · ',
          )}
        </p>
      </div>
      <span className={`num ${styles.minutes}`}>{minutes(listing.minutes)}</span>
      <span className={styles.reward}>
        {steps.length > 1 && `${t('listing.upTo')} `}
        <Amount points={reward} />
      </span>
      <IconChevronRight size={18} stroke={2} className={styles.go} aria-hidden="true" />
      {steps.length > 0 && <Steps listing={listing} />}
    </li>
  );
}

/** What each step pays, in the provider's order. Closed at first, so that the list stays short. */
function Steps({ listing: { title, steps } }: Pick<ListingRowProps, 'listing'>) {
  const { t } = useTranslation();
  return (
    <details className={styles.steps}>
      <summary>
        <span className="num">{t('listing.steps', { count: steps.length })}</span>
        <span className={styles.paid}>{t('listing.stepsPaid')}</span>
        <IconChevronDown size={16} stroke={2} aria-hidden="true" />
      </summary>
      <ol aria-label={t('listing.stepsLabel', { title })}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other name than its place
          <li key={index}>
            <span className={`num ${styles.number}`} aria-hidden="true">
              {index + 1}
            </span>
            <span className={styles.step}>
              {step.title}
              {step.days !== null && (
                <small className="num">{t('listing.within', { count: step.days })}</small>
              )}
            </span>
            <Amount points={step.points} />
          </li>
        ))}
      </ol>
    </details>
  );
}

const HOURS_FROM = 120;
const DAYS_FROM = 48 * 60;

/** Formats minutes; from two hours on it formats hours, and from two days on days. */
export function useMinutes(): (minutes: number) => string {
  const { t } = useTranslation();
  return (minutes) => {
    if (minutes < HOURS_FROM) return t('listing.takes', { minutes });
    if (minutes < DAYS_FROM) return t('listing.takesHours', { hours: Math.round(minutes / 60) });
    return t('listing.takesDays', { days: Math.round(minutes / (24 * 60)) });
  };
}
