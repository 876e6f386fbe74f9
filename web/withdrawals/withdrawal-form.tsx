import { useState } from 'react';
import { useMember } from '#web/client/session.ts';
import { CheckStep } from './check-step.tsx';
import { DetailsStep } from './details-step.tsx';
import { DialogHead } from './dialog-head.tsx';
import { PhoneStep } from './phone-step.tsx';
import type { WithdrawalMethod } from './use-withdrawal.ts';
import { useWithdrawalDraft } from './use-withdrawal-draft.ts';
import styles from './withdrawal-dialog.module.css';
import { WithdrawalSummary } from './withdrawal-summary.tsx';

type WithdrawalFormProps = {
  methods: WithdrawalMethod[];
  balance: string;
  onClose: () => void;
  /** Called with the id of the new request instead of `onClose`. */
  onDone: (id: string) => void;
};

/** The steps of a withdrawal beside its slip. The step of the phone is only for members without a verified one. */
export function WithdrawalForm({ methods, balance, onClose, onDone }: WithdrawalFormProps) {
  const { id, phoneVerified } = useMember();
  // The step stays in the list when it is done.
  const [hasPhoneStep] = useState(!phoneVerified);
  const { step, draft, bounds, errors, change, discard, next, toCheck, back, send, isPending, failure } =
    useWithdrawalDraft({
      memberId: id,
      methods,
      balance,
      isPhoneNeeded: !phoneVerified,
      onDone,
    });
  return (
    <div className={styles.details}>
      <DialogHead
        step={step}
        steps={hasPhoneStep ? ['details', 'phone', 'check'] : ['details', 'check']}
        onClose={onClose}
      />
      {step === 'details' && (
        <DetailsStep
          methods={methods}
          draft={draft}
          bounds={bounds}
          errors={errors}
          isPhoneNext={!phoneVerified}
          onChange={change}
          onCancel={() => {
            discard();
            onClose();
          }}
          onNext={next}
        />
      )}
      {step === 'phone' && <PhoneStep onBack={back} onDone={toCheck} />}
      {step === 'check' && (
        <CheckStep draft={draft} failure={failure} isPending={isPending} onBack={back} onSend={send} />
      )}
      <WithdrawalSummary draft={draft} bounds={bounds} />
    </div>
  );
}
