import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ListedSuspension,
  severities,
  suspendUser,
  suspensionTypes,
} from '#contract/members-suspensions.ts';
import { ActForm, type FormPlace } from '#web/admin/kit/act-form.tsx';
import { ReasonField } from '#web/admin/kit/reason-dialog.tsx';
import { useAct } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldLabel } from '#web/ui/field-parts.tsx';
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

type SuspendFormProps = { memberId: string; place?: FormPlace; onClose: () => void };

/** In the sheet of a member the form is about that one. */
export function SuspendForm({ memberId, place = 'dialog', onClose }: SuspendFormProps) {
  const { t } = useTranslation();
  const suspending = useAct(suspendUser);
  const [draft, setDraft] = useState<Draft>({
    userId: memberId,
    suspensionType: 'earnings_blocked',
    severity: 'warning',
    until: '',
    reason: '',
  });
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const submit = () => {
    const { until, ...body } = draft;
    const expiresAt = until === '' ? null : new Date(until).toISOString();
    suspending.mutate(
      { body: { ...body, expiresAt } },
      {
        onSuccess: ({ userName }) => {
          toast.ok(t('suspensions.form.done', { name: userName }));
          onClose();
        },
        onError: ({ code }) => toast.bad(t(`refusals.${code}`), t('suspensions.form.failed')),
      },
    );
  };
  return (
    <ActForm
      place={place}
      submit={{ label: t('suspensions.form.submit'), tone: 'danger' }}
      isPending={suspending.isPending}
      fine={t('suspensions.form.fine')}
      onSubmit={submit}
      onClose={onClose}
    >
      {place === 'dialog' && (
        <TextInput
          label={<FieldLabel text={t('suspensions.form.member')} help={t('suspensions.form.memberHelp')} />}
          value={draft.userId}
          maxLength={254}
          autoComplete="off"
          data-autofocus={memberId === '' || undefined}
          onChange={(event) => change({ userId: event.currentTarget.value })}
        />
      )}
      <TypeField draft={draft} onChange={change} />
      <DurationFields draft={draft} onChange={change} />
      <ReasonField
        id="suspend-reason"
        words={{
          label: t('suspensions.form.reason'),
          help: t('suspensions.form.reasonHelp'),
          required: '',
        }}
        reason={draft.reason}
        error={null}
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
function DurationFields({ draft, onChange }: FieldsProps) {
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
        type="datetime-local"
        label={<FieldLabel text={t('suspensions.form.until')} help={t('suspensions.form.untilHelp')} />}
        value={draft.until}
        disabled={draft.severity === 'permanent'}
        onChange={(event) => onChange({ until: event.currentTarget.value })}
      />
    </>
  );
}
