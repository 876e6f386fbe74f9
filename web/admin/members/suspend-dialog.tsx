import { SegmentedControl, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import {
  type ListedSuspension,
  severities,
  suspendUser,
  suspensionTypes,
} from '#contract/members-suspensions.ts';
import { ActForm, type FormPlace } from '#web/admin/kit/act-form.tsx';
import { ReasonField, useReasonFault } from '#web/admin/kit/reason-dialog.tsx';
import { fieldMessagesOf } from '#web/admin/kit/use-draft.ts';
import { type Faults, useFaults } from '#web/admin/kit/use-faults.ts';
import { useKept } from '#web/admin/kit/use-kept.ts';
import type { ApiError } from '#web/client/call.ts';
import { useAct } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './suspend-dialog.module.css';

type SuspendDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  /** The member of the page; without it the form asks for one. */
  memberId?: string;
};

/** The form of a suspension. The server checks it. */
export function SuspendDialog({ isOpen, onClose, memberId = '' }: SuspendDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('suspensions.form.title')} width={480}>
      {isOpen && <SuspendForm memberId={memberId} onClose={onClose} />}
    </Dialog>
  );
}

type Draft = Pick<ListedSuspension, 'severity' | 'suspensionType' | 'reason'> & {
  userId: string;
  /** As the field has it, in the browser's own zone; empty for none. */
  until: string;
};

const blank: Omit<Draft, 'userId'> = {
  suspensionType: 'earnings_blocked',
  severity: 'warning',
  until: '',
  reason: '',
};

type FaultName = 'userId' | 'until' | 'reason' | 'form';

/** What a refused suspension says, by field; `form` is what no field of the form has. */
function useFaultsOf(hasMember: boolean) {
  const { t } = useTranslation();
  const reasonFaultOf = useReasonFault();
  return (error: ApiError, { reason }: Draft): Faults<FaultName> => {
    const messages = fieldMessagesOf(error);
    const required = t('suspensions.form.reasonRequired');
    const found: Faults<FaultName> = {
      ...(messages.userId !== undefined && { userId: t('suspensions.form.memberRequired') }),
      ...(messages.expiresAt !== undefined && { until: t('suspensions.form.untilPast') }),
      ...(messages.reason !== undefined && { reason: reasonFaultOf(reason, required) ?? required }),
    };
    if (Object.keys(found).length > 0) return found;
    const text = t(error.code === 'forbidden' ? 'suspensions.form.operator' : `refusals.${error.code}`);
    const isAboutMember = error.code === 'unknown-member' || error.code === 'forbidden';
    return { [isAboutMember && !hasMember ? 'userId' : 'form']: text };
  };
}

type SuspendFormProps = { memberId: string; place?: FormPlace; onClose: () => void };

/** In the sheet of a member the form is about that one. */
export function SuspendForm({ memberId, place = 'dialog', onClose }: SuspendFormProps) {
  const { t } = useTranslation();
  const suspending = useAct(suspendUser);
  const key = place === 'sheet' ? `member.suspend ${memberId}` : undefined;
  const kept = useKept<Draft>(key, { ...blank, userId: memberId });
  const draft = kept.value;
  const { ref, faults, show, clear } = useFaults<FaultName>();
  const faultsOf = useFaultsOf(place === 'sheet');
  const change = (part: Partial<Draft>) => {
    kept.change({ ...draft, ...part });
    clear();
  };
  const submit = () => {
    const { until, ...body } = draft;
    const expiresAt = until === '' ? null : new Date(until).toISOString();
    suspending.mutate(
      { body: { ...body, expiresAt } },
      {
        onSuccess: ({ userName }) => {
          toast.ok(t('suspensions.form.done', { name: userName }));
          kept.forget();
          onClose();
        },
        onError: (error) => {
          toast.bad(t(`refusals.${error.code}`), t('suspensions.form.failed'));
          show(faultsOf(error, draft));
        },
      },
    );
  };
  return (
    <ActForm
      ref={ref}
      place={place}
      submit={{ label: t('suspensions.form.submit'), tone: 'danger' }}
      isPending={suspending.isPending}
      fine={t('suspensions.form.fine')}
      failure={faults.form ?? null}
      onSubmit={submit}
      onClose={onClose}
    >
      {place === 'dialog' && (
        <TextInput
          id="suspend-userId"
          error={fieldError(faults.userId)}
          label={<FieldLabel text={t('suspensions.form.member')} help={t('suspensions.form.memberHelp')} />}
          value={draft.userId}
          maxLength={254}
          autoComplete="off"
          data-autofocus={memberId === '' || undefined}
          onChange={(event) => change({ userId: event.currentTarget.value })}
        />
      )}
      <TypeField draft={draft} onChange={change} />
      <DurationFields draft={draft} fault={faults.until} onChange={change} />
      <ReasonField
        id="suspend-reason"
        words={{ label: t('suspensions.form.reason'), help: t('suspensions.form.reasonHelp'), required: '' }}
        reason={draft.reason}
        error={faults.reason ?? null}
        onChange={(reason) => change({ reason })}
      />
    </ActForm>
  );
}

type FieldsProps = { draft: Draft; onChange: (part: Partial<Draft>) => void };

/** What is blocked. */
function TypeField({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={styles.types}>
      <legend className={styles.label}>{t('suspensions.form.type')}</legend>
      {suspensionTypes.map((type) => (
        <label key={type} className={styles.type}>
          <input
            type="radio"
            name="suspension-type"
            value={type}
            checked={draft.suspensionType === type}
            onChange={() => onChange({ suspensionType: type })}
          />
          <span>
            <b>{t(`member.suspensionTypes.${type}`)}</b>
            <small>{t(`suspensions.form.blocks.${type}`)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** How severe it is, and until when. A permanent one has no end. */
function DurationFields({ draft, fault, onChange }: FieldsProps & { fault: string | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <div>
        <p className={styles.label}>{t('suspensions.form.severity')}</p>
        <SegmentedControl
          fullWidth
          aria-label={t('suspensions.form.severity')}
          value={draft.severity}
          data={severities.map((value) => ({ value, label: t(`suspensions.choices.severity.${value}`) }))}
          onChange={(value) => {
            const severity = severities.find((one) => one === value) ?? severities[0];
            onChange({ severity, ...(severity === 'permanent' ? { until: '' } : {}) });
          }}
        />
      </div>
      <TextInput
        id="suspend-until"
        type="datetime-local"
        error={fieldError(fault)}
        label={<FieldLabel text={t('suspensions.form.until')} help={t('suspensions.form.untilHelp')} />}
        value={draft.until}
        disabled={draft.severity === 'permanent'}
        onChange={(event) => onChange({ until: event.currentTarget.value })}
      />
    </>
  );
}
