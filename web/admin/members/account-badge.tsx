import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Account } from '#contract/members-accounts.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** The state of an account. Of several, the gravest one. */
export function AccountBadge({ account }: { account: Pick<Account, 'deletedAt' | 'role' | 'isBlocked'> }) {
  const { t } = useTranslation();
  if (account.deletedAt !== null)
    return (
      <StatusBadge tone="plain" icon={IconTrash}>
        {t('users.states.deleted')}
      </StatusBadge>
    );
  if (account.role === 'banned') return <StatusBadge tone="blocked">{t('users.states.banned')}</StatusBadge>;
  if (account.isBlocked) return <StatusBadge tone="warn">{t('users.states.blocked')}</StatusBadge>;
  return <StatusBadge tone="ok">{t('users.states.active')}</StatusBadge>;
}
