import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { denyAct } from '#contract/access-denial.ts';
import { useAct } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './deny-dialog.module.css';

type DenyDialogProps = { isOpen: boolean; onClose: () => void };

/** Says that an act on the account was not the member's. It names what follows before it does it. */
export function DenyDialog({ isOpen, onClose }: DenyDialogProps) {
  const { t } = useTranslation();
  const denying = useAct(denyAct);
  const deny = () =>
    denying.mutate(
      {},
      {
        // The session has ended, so the page starts again, at the form that mails a link for a new password.
        onSuccess: () => window.location.assign('/auth?tab=forgot'),
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
