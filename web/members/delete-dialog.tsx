import { Button, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readSessions } from '#contract/access.ts';
import { readStats } from '#contract/ledger.ts';
import { deleteAccount } from '#contract/members.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatAmount, toPoints } from '#web/client/format.ts';
import { endSession, useMember } from '#web/client/session.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { ConsequenceButtons, Consequences } from '#web/ui/consequences.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './delete-dialog.module.css';

/** Shows in numbers what deleting the account does, and asks for the password. */
export function DeleteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const { isBusy, problem, submit, forget } = useDeletion();
  const close = () => {
    forget();
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={t('settings.danger.dialogTitle')}
      width={480}
      isLocked={isBusy}
      text={<WhatIsDeleted />}
    >
      <Confirmation isBusy={isBusy} problem={problem} onType={forget} onSubmit={submit} onCancel={close} />
    </Dialog>
  );
}

function WhatIsDeleted() {
  const { t } = useTranslation();
  const { email } = useMember();
  const stats = useRead(readStats).data;
  const sessions = useRead(readSessions).data;
  const balance = () => {
    if (stats === undefined) return t('settings.danger.balanceUnknown');
    const amount = formatAmount(stats.balance);
    const isEmpty = toPoints(stats.balance) === 0n;
    return t(isEmpty ? 'settings.danger.balanceNone' : 'settings.danger.balance', { amount });
  };
  return (
    <Consequences>
      <li>{balance()}</li>
      <li>
        {sessions === undefined
          ? t('settings.danger.sessionsUnknown')
          : t('settings.danger.sessions', { count: sessions.length })}
      </li>
      <li>{t('settings.danger.days', { email })}</li>
      <li>{t('settings.danger.kept')}</li>
    </Consequences>
  );
}

type ConfirmationProps = {
  isBusy: boolean;
  problem: ApiError | 'required' | null;
  onType: () => void;
  onSubmit: (password: string) => void;
  onCancel: () => void;
};

function Confirmation({ isBusy, problem, onType, onSubmit, onCancel }: ConfirmationProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const message = () => {
    if (problem === null) return null;
    if (problem === 'required') return t('settings.danger.passwordRequired');
    if (problem.code === 'fresh-factor-required') return t('settings.danger.passwordTooNew');
    return (
      <>
        {t('settings.danger.failed')}. {t(`refusals.${problem.code}`)}{' '}
        {problem.code === 'withdrawal-pending' && (
          <Link to="/withdrawal" className="link">
            {t('settings.danger.toWithdrawals')}
          </Link>
        )}
      </>
    );
  };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) onSubmit(password);
      }}
    >
      <PasswordInput
        label={t('settings.danger.password')}
        autoComplete="current-password"
        maxLength={256}
        value={password}
        error={fieldError(message())}
        visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword'), tabIndex: 0 }}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          onType();
        }}
      />
      <ConsequenceButtons>
        <Button variant="subtle" onClick={onCancel} disabled={isBusy}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" color="brick" loading={isBusy}>
          {t('settings.danger.confirm')}
        </Button>
      </ConsequenceButtons>
    </form>
  );
}

/** Deletes the account, signs out and opens the visitors' front page. */
function useDeletion() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const deleting = useAct(deleteAccount);
  const [isBlank, setBlank] = useState(false);
  const submit = (password: string) => {
    setBlank(password === '');
    if (password === '') return;
    deleting.mutate(
      { body: { password } },
      {
        onSuccess: () => {
          toast.ok(t('settings.danger.done'));
          void navigate({ to: '/', replace: true });
          endSession(client);
        },
      },
    );
  };
  return {
    isBusy: deleting.isPending || deleting.isSuccess,
    problem: isBlank ? ('required' as const) : deleting.error,
    submit,
    forget: () => {
      setBlank(false);
      if (deleting.isError) deleting.reset();
    },
  };
}
