import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { SupportSearch } from '#web/client/support-search.ts';
import styles from './desk.module.css';

/** Changes between the two views. The search stays. */
export function ViewSwitch() {
  const { t } = useTranslation();
  const { view = 'detailed', q } = useSearch({ strict: false }) as SupportSearch;
  const navigate = useNavigate();
  return (
    <SegmentedControl
      className={styles.views}
      classNames={{ label: styles.segment ?? '' }}
      aria-label={t('tickets.views.label')}
      value={view}
      data={(['simple', 'detailed'] as const).map((value) => ({ value, label: t(`tickets.views.${value}`) }))}
      onChange={(value) =>
        void navigate({
          to: '.',
          search: { ...(value === 'simple' && { view: value }), ...(q !== undefined && { q }) } as never,
          replace: true,
        })
      }
      withItemsBorders={false}
    />
  );
}
