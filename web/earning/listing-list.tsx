import { useMediaQuery } from '@mantine/hooks';
import { IconExternalLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Listing, ListingRow } from '#web/ui/listing-row.tsx';
import { below } from '#web/ui/sizes.ts';
import styles from './listing-list.module.css';
import { useProviderNames } from './provider-names.ts';

/** Entries of the catalogue, each a link to the task or survey. */
export function ListingList({ listings, label }: { listings: readonly Listing[]; label: string }) {
  const nameOf = useProviderNames();
  const isNarrow = useMediaQuery(below('tablet'), false, { getInitialValueInEffect: false });
  return (
    <ul className={styles.list} aria-label={label}>
      {listings.map((listing) => (
        <ListingRow
          key={listing.id}
          listing={listing}
          providerName={nameOf(listing.provider) ?? listing.provider}
          isNarrow={isNarrow}
          title={<Place url={listing.url}>{listing.title}</Place>}
        />
      ))}
    </ul>
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
