import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#web/ui/empty-state.tsx';
import styles from './catalogue-page.module.css';
import { ListingList } from './listing-list.tsx';
import type { Listing } from './listing-order.ts';

type ResultsProps = {
  /** Whose words are used: both lists say the same things of other things. */
  area: 'tasks' | 'surveys';
  /** How many there are in all. */
  count: number;
  /** What the filter leaves, in its order. */
  shown: Listing[];
  onShowAll: () => void;
  /** Beside the count. */
  children?: ReactNode;
};

/** The catalogue's list as the filter leaves it, or what to do where there is nothing, or nothing of that kind. */
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
