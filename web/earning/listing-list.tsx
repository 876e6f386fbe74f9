import {
  type Icon,
  IconApps,
  IconChevronRight,
  IconClipboardText,
  IconDeviceGamepad2,
  IconExternalLink,
  IconTag,
  IconVideo,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAge } from '#web/client/format.ts';
import { Amount } from '#web/ui/amount.tsx';
import rows from '#web/ui/rows.module.css';
import styles from './listing-list.module.css';
import type { Listing } from './listing-order.ts';
import { useProviderNames } from './provider-names.ts';

const icons: Record<Listing['category'], Icon> = {
  video: IconVideo,
  game: IconDeviceGamepad2,
  app: IconApps,
  offer: IconTag,
  general: IconClipboardText,
  market_research: IconClipboardText,
  social_research: IconClipboardText,
};

/** Entries of the catalogue, each a link to the task or survey. */
export function ListingList({ listings, label }: { listings: readonly Listing[]; label: string }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {listings.map((listing) => (
        <ListingRow key={listing.id} listing={listing} />
      ))}
    </ul>
  );
}

function ListingRow({ listing }: { listing: Listing }) {
  const { t, i18n } = useTranslation();
  const nameOf = useProviderNames();
  const { category, title, description, provider, reward, minutes, createdAt, url } = listing;
  const Sign = icons[category];
  const facts = [
    nameOf(provider) ?? provider,
    t(`catalogue.categories.${category}`),
    formatAge(createdAt, i18n.language),
  ];
  return (
    <li>
      <span className={rows.plate}>
        <Sign size={20} stroke={1.75} aria-hidden="true" />
      </span>
      <div className={styles.words}>
        <h3>
          <Place url={url}>{title}</Place>
        </h3>
        <p className={styles.text}>{description}</p>
        <p className={rows.meta}>{facts.join(' · ')}</p>
      </div>
      <span className={`num ${styles.minutes}`}>{useMinutes()(minutes)}</span>
      <Amount points={reward} className={styles.reward ?? ''} />
      <IconChevronRight size={18} stroke={2} className={styles.go} aria-hidden="true" />
    </li>
  );
}

const ownWall = /^\/earn\?wall=([a-z][a-z0-9-]{1,39})$/;

/** The link of an entry: a wall opens over this page, an external address in a new tab. */
function Place({ url, children }: { url: string; children: ReactNode }) {
  const { t } = useTranslation();
  const wall = ownWall.exec(url)?.[1];
  if (wall !== undefined) {
    return (
      <Link
        to="."
        search={(before: object) => ({ ...before, wall })}
        resetScroll={false}
        preload={false}
        className={styles.opener}
        aria-haspopup="dialog"
      >
        {children}
      </Link>
    );
  }
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={styles.opener}>
      {children}
      <IconExternalLink size={16} stroke={2} aria-hidden="true" />
      <span className="visually-hidden"> ({t('catalogue.newTab')})</span>
    </a>
  );
}

const HOURS_FROM = 120;

/** Formats minutes; from two hours on it formats hours. */
export function useMinutes(): (minutes: number) => string {
  const { t } = useTranslation();
  return (minutes) =>
    minutes < HOURS_FROM
      ? t('catalogue.takes', { minutes })
      : t('catalogue.takesHours', { hours: Math.round(minutes / 60) });
}
