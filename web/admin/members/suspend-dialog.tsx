import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListedSuspension, suspendUser } from '#contract/members-suspensions.ts';
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

// Constants of the contract stay in the server's part with the schemas.
const types = ['earnings_blocked', 'withdrawal_blocked', 'full_suspension'] as const;
const severities = ['warning', 'temporary', 'permanent'] as const;

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

function SuspendForm({ memberId, onClose }: { memberId: string; onClose: () => void }) {
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
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (suspending.isPending) return;
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
    <form onSubmit={submit} noValidate className={styles.form}>
      <TextInput
        label={<FieldLabel text={t('suspensions.form.member')} help={t('suspensions.form.memberHelp')} />}
        value={draft.userId}
        maxLength={254}
        autoComplete="off"
        data-autofocus={memberId === '' || undefined}
        onChange={(event) => change({ userId: event.currentTarget.value })}
      />
      <ChoiceFields draft={draft} onChange={change} />
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
      <p className={styles.fine}>{t('suspensions.form.fine')}</p>
      <div className={styles.actions}>
        <Button variant="subtle" onClick={onClose} disabled={suspending.isPending}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" color="brick" loading={suspending.isPending}>
          {t('suspensions.form.submit')}
        </Button>
      </div>
    </form>
  );
}

type ChoiceFieldsProps = { draft: Draft; onChange: (part: Partial<Draft>) => void };

/** What is blocked, how severe it is, and until when. */
function ChoiceFields({ draft, onChange }: ChoiceFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Select
        label={<FieldLabel text={t('suspensions.form.type')} />}
        description={t(`suspensions.form.blocks.${draft.suspensionType}`)}
        data={types.map((value) => ({ value, label: t(`member.suspensionTypes.${value}`) }))}
        value={draft.suspensionType}
        allowDeselect={false}
        onChange={(value) => onChange({ suspensionType: types.find((one) => one === value) ?? types[0] })}
      />
      <Select
        label={<FieldLabel text={t('suspensions.form.severity')} />}
        data={severities.map((value) => ({ value, label: t(`suspensions.choices.severity.${value}`) }))}
        value={draft.severity}
        allowDeselect={false}
        onChange={(value) => {
          const severity = severities.find((one) => one === value) ?? severities[0];
          onChange({ severity, ...(severity === 'permanent' ? { until: '' } : {}) });
        }}
      />
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
