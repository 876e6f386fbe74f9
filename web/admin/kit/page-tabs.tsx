import { Link, useNavigate } from '@tanstack/react-router';
import clsx from 'clsx';
import type { Screen } from '#contract/screens.ts';
import { formatPoints } from '#web/client/format.ts';
import { useKeys } from './keys.ts';
import styles from './page-tabs.module.css';
import type { ListPage } from './use-operator-list.ts';
import { useTabInSight } from './use-tab-in-sight.ts';

/** The number of rows of a list as a tab shows it; undefined until it is read. */
export const countOf = ({ data }: { data: ListPage<unknown> | undefined }): string | undefined =>
  data && `${formatPoints(data.totalCount)}${data.isCapped ? '+' : ''}`;

type PageTabsProps = {
  label: string;
  path: Screen;
  /** A count is undefined until it is read; a tab of null has none. */
  tabs: readonly { name: string; label: string; count: string | null | undefined; search: object }[];
  current: string;
  className?: string | undefined;
  /** Without it no digit opens a tab: those of a list open its views. */
  keys?: { title: string; line: string };
};

/** The tabs of a screen, each with an address and a digit that opens it. */
export function PageTabs({ label, path, tabs, current, className, keys }: PageTabsProps) {
  const navigate = useNavigate();
  const strip = useTabInSight(current);
  useKeys(
    (keys === undefined ? [] : tabs).map(({ search }, index) => ({
      hotkey: String(index + 1),
      act: () => void navigate({ to: path, search, replace: true }),
    })),
    keys && { title: keys.title, lines: [{ label: keys.line, caps: [`1–${tabs.length}`] }] },
  );
  return (
    <nav ref={strip} className={clsx(styles.tabs, className)} aria-label={label}>
      {tabs.map(({ name, label, count, search }) => (
        <Link
          key={name}
          to={path}
          search={search}
          replace
          data-current={name === current || undefined}
          aria-current={name === current ? 'page' : undefined}
        >
          <span className={styles.name} data-bold={label}>
            {label}
          </span>
          {count !== null && <span className="num">{count}</span>}
        </Link>
      ))}
    </nav>
  );
}
