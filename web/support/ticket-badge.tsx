import { type Icon, IconCheck, IconCircleDashed, IconClock, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { TicketStatus } from '#contract/support.ts';
import { type BadgeTone, StatusBadge } from '#web/ui/status-badge.tsx';

const badges: Record<TicketStatus, { tone: BadgeTone; icon: Icon }> = {
  open: { tone: 'wait', icon: IconCircleDashed },
  in_progress: { tone: 'wait', icon: IconClock },
  resolved: { tone: 'plain', icon: IconCheck },
  closed: { tone: 'plain', icon: IconX },
};

/** The state of a request. One that a later server may have is shown as pending. */
export function TicketBadge({ status }: { status: TicketStatus }) {
  const { t } = useTranslation();
  const known = status in badges ? badges[status] : undefined;
  return (
    <StatusBadge tone={known?.tone ?? 'wait'} icon={known?.icon ?? IconClock}>
      {t(`support.status.${known === undefined ? 'pending' : status}`)}
    </StatusBadge>
  );
}
