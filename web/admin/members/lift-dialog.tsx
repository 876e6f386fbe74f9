import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { liftSuspension } from '#contract/members-suspensions.ts';
import { ReasonField } from '#web/admin/kit/reason-dialog.tsx';
import { useAct } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './suspend-dialog.module.css';

type LiftDialogProps = { id: string; name: string; isOpen: boolean; onClose: () => void };

/** Lifts a suspension, with a reason that the member reads. */
export function LiftDialog(props: LiftDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title={t('suspensions.lift.title', { name: props.name })}
      width={460}
    >
      {props.isOpen && <LiftForm {...props} />}
    </Dialog>
  );
}

function LiftForm({ id, name, onClose }: LiftDialogProps) {
  const { t } = useTranslation();
  const lifting = useAct(liftSuspension);
  const [reason, setReason] = useState('');
  const liftReason = reason.trim();
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (lifting.isPending) return;
    // The button is off without a reason; Enter in another form control is not.
    if (liftReason === '') return toast.bad(t('suspensions.lift.required'));
    lifting.mutate(
      { params: { id }, body: { liftReason } },
      {
        onSuccess: () => {
          toast.ok(t('suspensions.lift.done', { name }));
          onClose();
        },
        onError: ({ code }) => {
          const isOwn = code === 'own-request';
          toast.bad(t(isOwn ? 'suspensions.lift.own' : `refusals.${code}`), t('suspensions.lift.failed'));
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <p>{t('suspensions.lift.text')}</p>
      <ReasonField
        id="lift-reason"
        words={{ label: t('suspensions.lift.reason'), help: t('suspensions.form.reasonHelp'), required: '' }}
        reason={reason}
        error={null}
        onChange={setReason}
      />
      <div className={styles.actions}>
        <Button variant="subtle" onClick={onClose} disabled={lifting.isPending}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={liftReason === ''} loading={lifting.isPending}>
          {t('suspensions.lift.submit')}
        </Button>
      </div>
    </form>
  );
}
