import { Button } from '@mantine/core';
import { IconMailCheck, IconPhoneCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import type { AccountRecord } from '#contract/members-accounts.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { AccountBadge } from './account-badge.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import styles from './member-page.module.css';
import { SuspendDialog } from './suspend-dialog.tsx';

type MemberHeadProps = {
  member: AccountRecord;
  isDeleting: boolean;
  onDelete: (isDeleting: boolean) => void;
};

export function MemberHead({ member, isDeleting, onDelete }: MemberHeadProps) {
  const { t } = useTranslation();
  const [isSuspending, setSuspending] = useState(false);
  const canDelete = member.role !== 'admin' && member.deletedAt === null;
  return (
    <div className={styles.head}>
      <Avatar person={member} size="head" />
      <div className={styles.who}>
        <div className={styles.title}>
          <h1>{fullNameOf(member)}</h1>
          <AccountBadge account={member} />
          {member.role === 'admin' && <StatusBadge tone="wait">{t('users.choices.role.admin')}</StatusBadge>}
          {member.phone !== null && (
            <StatusBadge tone="plain" icon={IconPhoneCheck}>
              {t('member.phoneVerified')}
            </StatusBadge>
          )}
          {member.emailVerifiedAt !== null && (
            <StatusBadge tone="plain" icon={IconMailCheck}>
              {t('member.emailVerified')}
            </StatusBadge>
          )}
        </div>
        <p className={styles.contact}>
          {member.email} · <span className="mono">{member.id}</span>
          <CopyButton text={member.id} label={t('users.sheet.copyId')} />
        </p>
      </div>
      <Button
        variant="default"
        size="sm"
        renderRoot={(props) => (
          <Link {...props} to="/management-panel-x7k9w/chargebacks" search={{ from: member.id }} />
        )}
      >
        {t('member.chargeBack')}
      </Button>
      {canDelete && (
        <Button variant="default" size="sm" onClick={() => setSuspending(true)}>
          {t('member.suspend')}
        </Button>
      )}
      {canDelete && (
        <Button variant="outline" color="brick" size="sm" onClick={() => onDelete(true)}>
          {t('users.sheet.delete')}
        </Button>
      )}
      <SuspendDialog isOpen={isSuspending} onClose={() => setSuspending(false)} memberId={member.id} />
      <DeleteAccountDialog account={member} isOpen={isDeleting} onClose={() => onDelete(false)} />
    </div>
  );
}
