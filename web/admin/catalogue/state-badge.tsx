import { type Icon, IconClockOff, IconEye, IconEyeOff, IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CatalogueEntry } from '#contract/earning-catalogue-entries.ts';
import { type BadgeTone, StatusBadge } from '#web/ui/status-badge.tsx';

const looks: Record<CatalogueEntry['state'], { tone: BadgeTone; icon: Icon }> = {
  shown: { tone: 'ok', icon: IconEye },
  hidden: { tone: 'plain', icon: IconEyeOff },
  expired: { tone: 'plain', icon: IconClockOff },
  unreachable: { tone: 'warn', icon: IconPlugConnectedX },
};

/** Whether members see an entry, and why not. */
export function StateBadge({ state }: { state: CatalogueEntry['state'] }) {
  const { t } = useTranslation();
  return <StatusBadge {...looks[state]}>{t(`catalogueEntries.choices.state.${state}`)}</StatusBadge>;
}
