import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { denyAct } from '#contract/access-denial.ts';
import { endSession, useMember } from '#web/client/session.ts';
import { useAct } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './deny-dialog.module.css';

type DenyDialogProps = { isOpen: boolean; onClose: () => void };

/** Says that an act on the account was not the member's. It names what follows before it does it. */
export function DenyDialog({ isOpen, onClose }: DenyDialogProps) {
  const { t } = useTranslation();
  const { email } = useMember();
  const navigate = useNavigate();
  const client = useQueryClient();
  const denying = useAct(denyAct);
  const deny = () =>
    denying.mutate(
      {},
      {
        // The server has ended the session. The next page needs none, and says that the account is locked.
        onSuccess: async () => {
          await navigate({ to: '/not-me', state: { lockedEmail: email } });
          endSession(client);
        },
        onError: (error) => toast.bad(t(`refusals.${error.code}`), t('notices.deny.failed')),
      },
    );
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('notices.deny.title')}
      width={480}
      isLocked={denying.isPending}
      text={
        <ul className={styles.list}>
          <li>{t('notices.deny.sessions')}</li>
          <li>{t('notices.deny.withdrawals')}</li>
          <li>{t('notices.deny.password')}</li>
        </ul>
      }
    >
      <div className={styles.acts}>
        <Button variant="subtle" onClick={onClose} disabled={denying.isPending}>
          {t('common.cancel')}
        </Button>
        <Button color="brick" loading={denying.isPending} onClick={deny}>
          {t('notices.deny.submit')}
        </Button>
      </div>
    </Dialog>
  );
}
