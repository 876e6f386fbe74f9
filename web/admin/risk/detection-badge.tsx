import { useTranslation } from 'react-i18next';
import type { Detection } from '#contract/risk-signals.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const statusTones = { open: 'wait', confirmed: 'blocked', dismissed: 'plain' } as const;

/** Open, confirmed or dismissed. */
export function DetectionBadge({ status }: Pick<Detection, 'status'>) {
  const { t } = useTranslation();
  return <StatusBadge tone={statusTones[status]}>{t(`detections.choices.status.${status}`)}</StatusBadge>;
}
