import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './pager.module.css';
import { pagesShown } from './pages.ts';

type PagerProps = { page: number; totalPages: number; onPage: (page: number) => void; label: string };

/** The page links of a list. The screen keeps the page number in the URL. */
export function Pager({ page, totalPages, onPage, label }: PagerProps) {
  const { t } = useTranslation();
  if (totalPages <= 1) return null;
  return (
    <nav className={styles.pager} aria-label={label}>
      <button type="button" className={styles.step} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronLeft size={16} stroke={2} aria-hidden="true" />
        <span className="visually-hidden">{t('common.previousPage')}</span>
      </button>
      {pagesShown(page, totalPages).map((shown, index) =>
        shown === 'gap' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: at most two gaps, and only their position differs.
          <span key={`gap-${index}`} className={styles.gap} aria-hidden="true">
            …
          </span>
        ) : (
          <button
            key={shown}
            type="button"
            className={styles.page}
            aria-current={shown === page ? 'page' : undefined}
            aria-label={t('common.pageNumber', { page: shown })}
            onClick={() => onPage(shown)}
          >
            {shown}
          </button>
        ),
      )}
      <button
        type="button"
        className={styles.step}
        disabled={page >= totalPages}
        onClick={() => onPage(page + 1)}
      >
        <IconChevronRight size={16} stroke={2} aria-hidden="true" />
        <span className="visually-hidden">{t('common.nextPage')}</span>
      </button>
    </nav>
  );
}
