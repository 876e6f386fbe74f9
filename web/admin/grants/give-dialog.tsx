import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findGrantReceiver, GRANT_POINTS_MAX } from '#contract/grants.ts';
import { ActForm, type FormPlace } from '#web/admin/kit/act-form.tsx';
import { ReasonField } from '#web/admin/kit/reason-dialog.tsx';
import { useFaults } from '#web/admin/kit/use-faults.ts';
import type { FailureCode } from '#web/client/call.ts';
import { formatAmount, formatPoints } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { GiveSlip, useNeedsSecond } from './give-slip.tsx';
import { type Draft, useDraftErrors, useGive } from './use-give.ts';

type GiveDialogProps = { isOpen: boolean; onClose: () => void };

/** The form of a grant. It shows whom it reaches and what it changes before it is sent. */
export function GiveDialog({ isOpen, onClose }: GiveDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('grants.give.title')} width={480}>
      {isOpen && <GiveForm onClose={onClose} />}
    </Dialog>
  );
}

/** The member of a draft, looked up when the field is left, or at once if the form is about one member. */
function useReceiver(memberId: string) {
  const { t } = useTranslation();
  const { id: ownId } = useMember();
  const [who, setWho] = useState(memberId);
  const { data, error, isFetching } = useRead(
    findGrantReceiver,
    { query: { member: who } },
    { enabled: who !== '', retry: false },
  );
  const isOwn = data?.id === ownId;
  const failure = isOwn ? t('grants.give.own') : error === null ? null : t(`refusals.${error.code}`);
  return {
    lookUp: (member: string) => setWho(member.trim()),
    /** Undefined until the member of this text is known. */
    receiverOf: (member: string) => (who === member.trim() && !isOwn && error === null ? data : undefined),
    failureOf: (member: string) => (who !== '' && who === member.trim() ? failure : null),
    isFetching,
  };
}

/** Refusals because of whom the form names. */
const aboutMember: readonly FailureCode[] = ['unknown-member', 'own-request'];

function useForm({ memberId = '', onClose }: GiveFormProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Draft>({ member: memberId, amount: '', reason: '' });
  const { ref, faults, show, clear } = useFaults<keyof Draft>();
  const errorsOf = useDraftErrors();
  const { lookUp, receiverOf, failureOf, isFetching } = useReceiver(memberId);
  const { give, forget, isPending, failure } = useGive(onClose, ({ code }) => {
    if (aboutMember.includes(code)) show({ member: t(`refusals.${code}`) });
  });
  const receiver = receiverOf(draft.member);

  const submit = () => {
    const found = errorsOf(draft);
    const unfound = failureOf(draft.member);
    if (Object.keys(found).length > 0) show(found);
    else if (unfound !== null) show({ member: unfound });
    else if (receiver === undefined) lookUp(draft.member);
    else give(receiver, draft);
  };
  return {
    ref,
    draft,
    change: (part: Partial<Draft>) => {
      setDraft({ ...draft, ...part });
      clear();
      forget();
    },
    submit,
    lookUp: () => lookUp(draft.member),
    receiver,
    errorOf: (name: keyof Draft) =>
      faults[name] ?? (name === 'member' ? failureOf(draft.member) : null) ?? null,
    isPending: isPending || isFetching,
    failure,
  };
}

type Form = ReturnType<typeof useForm>;

type GiveFormProps = {
  place?: FormPlace;
  /** The member of the page; without it the form asks for one. */
  memberId?: string;
  onClose: () => void;
};

export function GiveForm(props: GiveFormProps) {
  const { t } = useTranslation();
  const form = useForm(props);
  const { draft, change, submit, receiver, errorOf, isPending, failure } = form;
  const { place, memberId, onClose } = props;
  const amount = formatAmount(draft.amount || '0');
  const needsSecond = useNeedsSecond(draft.amount);
  return (
    <ActForm
      ref={form.ref}
      {...(place !== undefined && { place })}
      submit={{
        label: t(needsSecond ? 'grants.give.ask' : 'grants.give.submit', { amount }),
        tone: 'money',
      }}
      isPending={isPending}
      fine={t(needsSecond ? 'grants.give.fineSecond' : 'grants.give.fine')}
      failure={failure ?? (memberId === undefined ? null : errorOf('member'))}
      onSubmit={submit}
      onClose={onClose}
    >
      {memberId === undefined && <MemberField form={form} />}
      <PointsField form={form} />
      <ReasonField
        id="grant-reason"
        words={{ label: t('grants.give.reason'), help: t('grants.give.reasonHelp'), required: '' }}
        reason={draft.reason}
        error={errorOf('reason')}
        onChange={(reason) => change({ reason })}
      />
      {receiver !== undefined && <GiveSlip receiver={receiver} draft={draft} />}
    </ActForm>
  );
}

function MemberField({ form: { draft, change, lookUp, errorOf } }: { form: Form }) {
  const { t } = useTranslation();
  return (
    <TextInput
      id="grant-member"
      label={<FieldLabel text={t('grants.give.member')} help={t('grants.give.memberHelp')} />}
      value={draft.member}
      maxLength={254}
      autoComplete="off"
      data-autofocus
      error={fieldError(errorOf('member'))}
      onChange={(event) => change({ member: event.currentTarget.value })}
      onBlur={lookUp}
    />
  );
}

function PointsField({ form: { draft, change, errorOf } }: { form: Form }) {
  const { t } = useTranslation();
  const help = t('grants.give.pointsHelp', { max: formatPoints(GRANT_POINTS_MAX) });
  return (
    <TextInput
      id="grant-amount"
      type="number"
      min={1}
      max={GRANT_POINTS_MAX}
      step={1}
      inputMode="numeric"
      autoComplete="off"
      label={<FieldLabel text={t('grants.give.points')} help={help} />}
      value={draft.amount}
      error={fieldError(errorOf('amount'))}
      onChange={(event) => change({ amount: event.currentTarget.value })}
    />
  );
}
