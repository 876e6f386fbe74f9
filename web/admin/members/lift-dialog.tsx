import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { liftSuspension } from '#contract/members-suspensions.ts';
import { ActForm } from '#web/admin/kit/act-form.tsx';
import { ReasonField, useReasonFault } from '#web/admin/kit/reason-dialog.tsx';
import { useFaults } from '#web/admin/kit/use-faults.ts';
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
  const { ref, faults, show, clear } = useFaults<'reason'>();
  const reasonFaultOf = useReasonFault();
  const [failure, setFailure] = useState<string | null>(null);
  const liftReason = reason.trim();
  const submit = () => {
    // The button is off without a reason; Ctrl Enter in the field is not.
    const fault = reasonFaultOf(reason, t('suspensions.lift.required'));
    setFailure(null);
    if (fault !== undefined) {
      toast.bad(fault);
      return show({ reason: fault });
    }
    lifting.mutate(
      { params: { id }, body: { liftReason } },
      {
        onSuccess: () => {
          toast.ok(t('suspensions.lift.done', { name }));
          onClose();
        },
        onError: ({ code }) => {
          const why = t(code === 'own-request' ? 'suspensions.lift.own' : `refusals.${code}`);
          toast.bad(why, t('suspensions.lift.failed'));
          setFailure(why);
        },
      },
    );
  };
  return (
    <ActForm
      ref={ref}
      submit={{ label: t('suspensions.lift.submit'), tone: 'plain', isDisabled: liftReason === '' }}
      isPending={lifting.isPending}
      fine={t('suspensions.lift.text')}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <ReasonField
        id="lift-reason"
        words={{ label: t('suspensions.lift.reason'), help: t('suspensions.form.reasonHelp'), required: '' }}
        reason={reason}
        error={faults.reason ?? null}
        onChange={(text) => {
          setReason(text);
          clear();
        }}
      />
    </ActForm>
  );
}
