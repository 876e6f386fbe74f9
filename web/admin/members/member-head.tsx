import { Button } from '@mantine/core';
import { IconMailCheck, IconPhoneCheck } from '@tabler/icons-react';
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

type MemberHeadProps = {
  member: AccountRecord;
  /** Opens the sheet of acts. */
  onAct: () => void;
};

export function MemberHead({ member, onAct }: MemberHeadProps) {
  const { t } = useTranslation();
  const [isDeleting, setDeleting] = useState(false);
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
      <Button variant="default" size="sm" onClick={onAct}>
        {t('member.acts.begin')}
      </Button>
      {canDelete && (
        <Button variant="outline" color="brick" size="sm" onClick={() => setDeleting(true)}>
          {t('users.sheet.delete')}
        </Button>
      )}
      <DeleteAccountDialog account={member} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </div>
  );
}
