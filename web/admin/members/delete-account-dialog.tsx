import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import { type Account, deleteUser } from '#contract/members-accounts.ts';
import { ReasonField } from '#web/admin/kit/reason-dialog.tsx';
import { showField } from '#web/admin/kit/show-field.ts';
import { useCharacterFault } from '#web/admin/kit/use-faults.ts';
import { toPoints } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { ConsequenceButtons, Consequences } from '#web/ui/consequences.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { balanceText } from './balance-text.ts';

type DeleteAccountDialogProps = { account: Account; isOpen: boolean; onClose: () => void };

/** Shows in numbers what the deletion of an account does, and asks for a confirmation. */
export function DeleteAccountDialog({ account, isOpen, onClose }: DeleteAccountDialogProps) {
  const { t } = useTranslation();
  const deleting = useAct(deleteUser);
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const characterFault = useCharacterFault();
  const name = fullNameOf(account);
  const confirm = () => {
    const found = characterFault(reason);
    if (found !== undefined) {
      setFault(found);
      return showField(field.current);
    }
    deleting.mutate(
      { params: { id: account.id }, body: reason.trim() === '' ? {} : { reason: reason.trim() } },
      {
        onSuccess: () => toast.ok(t('users.delete.done', { name })),
        onError: ({ code }) => toast.bad(t(`refusals.${code}`), t('users.delete.failed')),
        onSettled: onClose,
      },
    );
  };
  const amount = balanceText(account.balance);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('users.delete.title', { name })}
      width={480}
      isLocked={deleting.isPending}
    >
      <Consequences>
        <li>{t('users.delete.sessions')}</li>
        <li>
          {t(toPoints(account.balance) === 0n ? 'users.delete.balanceNone' : 'users.delete.balance', {
            amount,
          })}
        </li>
        <li>{t('users.delete.days', { email: account.email })}</li>
        <li>{t('users.delete.kept')}</li>
      </Consequences>
      <ReasonField
        words={{ label: t('users.delete.reason'), help: t('users.delete.reasonHelp'), required: '' }}
        reason={reason}
        ref={field}
        error={fault}
        onChange={(text) => {
          setReason(text);
          setFault(null);
        }}
      />
      <ConsequenceButtons>
        <Button variant="subtle" onClick={onClose} disabled={deleting.isPending} data-autofocus>
          {t('common.cancel')}
        </Button>
        <Button color="brick" loading={deleting.isPending} onClick={confirm}>
          {t('users.delete.submit')}
        </Button>
      </ConsequenceButtons>
    </Dialog>
  );
}
