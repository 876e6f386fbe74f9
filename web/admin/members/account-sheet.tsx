import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import type { Account } from '#contract/members-accounts.ts';
import { Fact, FactList, SheetFacts, SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { useMemberKey } from '#web/admin/kit/use-sheet-key.ts';
import { formatAmount, formatTime } from '#web/client/format.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { AccountBadge } from './account-badge.tsx';
import styles from './account-sheet.module.css';
import { balanceText } from './balance-text.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';

/** The sheet of one member, and the deletion of the account at the foot. An operator's account has none. */
export function AccountSheet({ account }: { account: Account }) {
  const { t } = useTranslation();
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  useMemberKey(
    () => void navigate({ to: '/management-panel-x7k9w/users/member', search: { id: account.id } }),
  );
  const canDelete = account.role !== 'admin' && account.deletedAt === null;
  return (
    <>
      <SheetFacts>
        <AccountFacts account={account} />
      </SheetFacts>
      <SheetFoot fine={t(`users.sheet.${fineOf(account)}`)}>
        {canDelete && (
          <Button variant="outline" color="brick" onClick={() => setDeleting(true)}>
            {t('users.sheet.delete')}
          </Button>
        )}
        <Button
          variant="default"
          className={styles.open}
          renderRoot={(props) => (
            <Link {...props} to="/management-panel-x7k9w/users/member" search={{ id: account.id }} />
          )}
        >
          {t('member.open')}
        </Button>
      </SheetFoot>
      <DeleteAccountDialog account={account} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </>
  );
}

const fineOf = ({ role, deletedAt }: Account) => {
  if (deletedAt !== null) return 'deletedFine';
  return role === 'admin' ? 'operatorFine' : 'fine';
};

function AccountFacts({ account }: { account: Account }) {
  const { t, i18n } = useTranslation();
  const time = (iso: string | null) =>
    iso === null ? t('users.sheet.never') : formatTime(iso, i18n.language);
  return (
    <>
      <div className={styles.who}>
        <Avatar person={account} />
        <div>
          <p className={styles.name}>{fullNameOf(account)}</p>
          <p className={styles.email}>{account.email}</p>
          <AccountBadge account={account} />
        </div>
      </div>
      <FactList>
        <Fact label={t('users.columns.id')}>
          <span className={styles.id}>
            {account.id}
            <CopyButton text={account.id} label={t('users.sheet.copyId')} />
          </span>
        </Fact>
        <Fact label={t('users.columns.role')}>{t(`users.choices.role.${account.role}`)}</Fact>
        <Fact label={t('users.columns.balance')}>{balanceText(account.balance)}</Fact>
        <Fact label={t('users.columns.earned')}>{formatAmount(account.totalEarned)}</Fact>
        <Fact label={t('users.columns.joined')}>{time(account.createdAt)}</Fact>
        <Fact label={t('users.columns.lastLogin')}>{time(account.lastLoginAt)}</Fact>
        {account.deletedAt !== null && (
          <Fact label={t('users.sheet.deletedAt')}>{time(account.deletedAt)}</Fact>
        )}
      </FactList>
    </>
  );
}
