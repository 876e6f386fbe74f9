import { useTranslation } from 'react-i18next';
import { type Detection, readDetections } from '#contract/risk-signals.ts';
import type { ListViews } from '#web/admin/kit/list-screen.ts';
import { useFirstRow } from '#web/admin/kit/use-operator-list.ts';

const POLL_MS = 30_000;

/** The two lists of the screen as views, with the count of the detections that wait. */
export function useMultiAccountViews(current: 'suspensions' | 'detections'): ListViews {
  const { t } = useTranslation();
  const open = useFirstRow<Detection>(readDetections, { status: 'open' }, POLL_MS);
  return {
    label: t('detections.views.label'),
    items: [
      {
        key: 'suspensions',
        label: t('detections.views.suspensions'),
        search: {},
        isCurrent: current === 'suspensions',
      },
      {
        key: 'detections',
        label: t('detections.views.detections'),
        count: open.data?.totalCount ?? null,
        search: { tab: 'detections' },
        isCurrent: current === 'detections',
      },
    ],
  };
}
