import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CHARGEBACK_POINTS_MAX, readChargebackProviders } from '#contract/earning-chargebacks.ts';
import { ActForm, type FormPlace } from '#web/admin/kit/act-form.tsx';
import { ReasonField } from '#web/admin/kit/reason-dialog.tsx';
import { useFaults } from '#web/admin/kit/use-faults.ts';
import { formatAmount } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { ReceiverLine } from './receiver-line.tsx';
import {
  type ChargebackKind,
  type Draft,
  type DraftErrors,
  pointsOf,
  useBook,
  useDraftErrors,
} from './use-chargeback.ts';

type ChargebackDialogProps = {
  /** Null while the dialog is closed. */
  kind: ChargebackKind | null;
  /** The id with which the form begins; may be empty. */
  member: string;
  /** The amount and the reason with which it begins. */
  begun?: Begun;
  onClose: () => void;
};
type Begun = Pick<Draft, 'amount' | 'reason' | 'seenBalance'>;

/** The form of a manual or a test chargeback. */
export function ChargebackDialog({ kind, member, begun, onClose }: ChargebackDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      isOpen={kind !== null}
      onClose={onClose}
      title={t(`chargebackList.${kind ?? 'manual'}.title`)}
      width={480}
    >
      {kind !== null && (
        <ChargebackForm kind={kind} member={member} onClose={onClose} {...(begun && { begun })} />
      )}
    </Dialog>
  );
}

function useForm({ kind, member, begun, onClose }: ChargebackFormProps) {
  const { data: providers = [] } = useRead(readChargebackProviders);
  const [draft, setDraft] = useState<Draft>({ member, amount: '', reason: '', provider: null, ...begun });
  const { ref, faults: errors, show, clear } = useFaults<keyof DraftErrors>();
  const errorsOf = useDraftErrors(kind);
  const { book, forget, isPending, failure } = useBook(kind, onClose, show);
  // The first provider, until another one is chosen.
  const complete = { ...draft, provider: draft.provider ?? providers[0]?.id ?? '' };
  const submit = () => {
    const found = errorsOf(complete);
    if (Object.keys(found).length > 0) show(found);
    else book(complete);
  };
  return {
    ref,
    draft: complete,
    providers,
    errors,
    submit,
    isPending,
    failure,
    change: (part: Partial<Draft>) => {
      // Another member has another balance.
      const { seenBalance: _, ...others } = draft;
      setDraft({ ...(part.member === undefined ? draft : others), ...part });
      clear();
      forget();
    },
  };
}

type ChargebackFormProps = {
  kind: ChargebackKind;
  member: string;
  begun?: Begun;
  place?: FormPlace;
  onClose: () => void;
};

/** The form. In the sheet of a member it is about that one. */
export function ChargebackForm(props: ChargebackFormProps) {
  const { t } = useTranslation();
  const { kind, place = 'dialog', onClose } = props;
  const form = useForm(props);
  const { draft, errors, change, submit, isPending, failure } = form;
  const amount = formatAmount(pointsOf(draft.amount));
  return (
    <ActForm
      ref={form.ref}
      place={place}
      submit={{ label: t('chargebackList.form.submit', { amount }), tone: 'danger' }}
      isPending={isPending}
      fine={t(`chargebackList.${kind}.fine`)}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      {place === 'dialog' && <MemberField form={form} />}
      {kind === 'test' && <ProviderField form={form} />}
      <TextInput
        id="chargeback-amount"
        type="number"
        min={0.01}
        max={CHARGEBACK_POINTS_MAX}
        step={0.01}
        inputMode="decimal"
        autoComplete="off"
        label={
          <FieldLabel text={t('chargebackList.form.amount')} help={t('chargebackList.form.amountHelp')} />
        }
        value={draft.amount}
        error={fieldError(errors.amount ?? null)}
        onChange={(event) => change({ amount: event.currentTarget.value })}
      />
      <ReasonField
        id="chargeback-reason"
        words={{
          label: t('chargebackList.form.reason'),
          help: t('chargebackList.form.reasonHelp'),
          required: '',
        }}
        reason={draft.reason}
        error={errors.reason ?? null}
        onChange={(reason) => change({ reason })}
      />
      <ReceiverLine member={draft.member} points={pointsOf(draft.amount)} />
    </ActForm>
  );
}

type FieldProps = { form: ReturnType<typeof useForm> };

function MemberField({ form: { draft, errors, change } }: FieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      id="chargeback-member"
      label={<FieldLabel text={t('chargebackList.form.member')} help={t('chargebackList.form.memberHelp')} />}
      value={draft.member}
      maxLength={254}
      autoComplete="off"
      data-autofocus
      error={fieldError(errors.member ?? null)}
      onChange={(event) => change({ member: event.currentTarget.value })}
    />
  );
}

/** The provider of a test, the first one by default. */
function ProviderField({ form: { draft, providers, errors, change } }: FieldProps) {
  const { t } = useTranslation();
  return (
    <Select
      id="chargeback-provider"
      label={<FieldLabel text={t('chargebackList.form.provider')} />}
      data={providers.map(({ id, name }) => ({ value: id, label: name }))}
      value={draft.provider}
      allowDeselect={false}
      error={fieldError(errors.provider ?? null)}
      onChange={(provider) => change({ provider })}
    />
  );
}
