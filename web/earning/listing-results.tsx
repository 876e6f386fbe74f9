import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#web/ui/empty-state.tsx';
import type { Listing } from '#web/ui/listing-row.tsx';
import styles from './catalogue-page.module.css';
import { ListingList } from './listing-list.tsx';

type ResultsProps = {
  /** The section of the words: both lists have the same texts under their own names. */
  area: 'tasks' | 'surveys';
  /** The number of entries before the filter. */
  count: number;
  /** The filtered and sorted entries. */
  shown: Listing[];
  onShowAll: () => void;
  /** Shown beside the count. */
  children?: ReactNode;
};

/** The filtered list. If the list or the filter's result is empty, it offers a next step. */
export function ListingResults({ area, count, shown, onShowAll, children }: ResultsProps) {
  const { t } = useTranslation();
  if (count === 0)
    return (
      <EmptyState
        title={t(`${area}.emptyTitle`)}
        text={t(`${area}.emptyText`)}
        action={
          <Button component={Link} to="/earn">
            {t(`${area}.toEarn`)}
          </Button>
        }
      />
    );
  if (shown.length === 0)
    return (
      <EmptyState
        title={t(`${area}.noneTitle`)}
        text={t(`${area}.noneText`)}
        action={
          <Button variant="default" onClick={onShowAll}>
            {t(`${area}.showAll`)}
          </Button>
        }
      />
    );
  return (
    <>
      <div className={styles.count}>
        <p className="caption dimmer" role="status">
          {t(`${area}.count`, { count: shown.length })}
        </p>
        {children}
      </div>
      <ListingList listings={shown} label={t(`${area}.list`)} />
    </>
  );
}
