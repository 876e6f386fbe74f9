import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { liftSuspension } from '#contract/members-suspensions.ts';
import { ActForm } from '#web/admin/kit/act-form.tsx';
import { ReasonField } from '#web/admin/kit/reason-dialog.tsx';
import { useAct } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';

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
  const submit = () => {
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
    <ActForm
      submit={{ label: t('suspensions.lift.submit'), tone: 'plain', isDisabled: liftReason === '' }}
      isPending={lifting.isPending}
      fine={t('suspensions.lift.text')}
      onSubmit={submit}
      onClose={onClose}
    >
      <ReasonField
        id="lift-reason"
        words={{ label: t('suspensions.lift.reason'), help: t('suspensions.form.reasonHelp'), required: '' }}
        reason={reason}
        error={null}
        onChange={setReason}
      />
    </ActForm>
  );
}
