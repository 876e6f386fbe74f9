import { Button, Textarea, TextInput } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  CLAIM_ANSWER_DAYS,
  CLAIM_ASK_DAYS,
  CLAIM_TEXT_MAX,
  type Claimable,
  readClaimable,
} from '#contract/claims.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatPoints, formatTime } from '#web/client/format.ts';
import { useProviders } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './claim-form.module.css';
import { useClaimForm } from './use-claim-form.ts';

type ClaimFormProps = {
  /** What is chosen first, if it can be claimed. */
  activityId?: string | undefined;
  onClose: () => void;
};

/**
 * Says that a credit did not arrive: which opening, first the newest that can be claimed, and what happened. Before the
 * usual time it says until when.
 */
export function ClaimForm(props: ClaimFormProps) {
  const { t } = useTranslation();
  const openings = useRead(readClaimable, undefined, { refetchOnMount: 'always' });
  if (openings.isError)
    return (
      <ErrorState
        title={t('claims.form.loadFailed')}
        text={`${t('claims.form.loadFailedText')} ${t(`refusals.${openings.error.code}`)}`}
        requestId={requestIdOf(openings.error)}
        onRetry={() => void openings.refetch()}
      />
    );
  if (openings.data === undefined)
    return (
      <div className={styles.loading} aria-busy="true">
        <span className="visually-hidden">{t('claims.form.loading')}</span>
        <i />
        <i />
      </div>
    );
  const free = openings.data.filter(({ claimId }) => claimId === null);
  const [first] = free;
  if (first === undefined)
    return <EmptyState title={t('claims.form.none')} text={t('claims.form.noneText')} />;
  return <Form {...props} openings={[first, ...free.slice(1)]} />;
}

type FormProps = ClaimFormProps & { openings: readonly [Claimable, ...Claimable[]] };

function Form({ activityId, openings, onClose }: FormProps) {
  const { t } = useTranslation();
  const providerOf = useProviders();
  const nameOf = (id: string) => providerOf(id)?.name ?? id;
  const isTooEarly = ({ claimableFrom }: Claimable) => Date.now() < Date.parse(claimableFrom);
  const [chosenId, setChosenId] = useState(() => {
    const first = openings.find((one) => one.activityId === activityId);
    return (first ?? openings.find((one) => !isTooEarly(one)))?.activityId;
  });
  const form = useClaimForm(nameOf, onClose);
  const chosen = openings.find((one) => one.activityId === chosenId) ?? openings[0];
  const isEarly = isTooEarly(chosen);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEarly) form.send(chosen);
      }}
    >
      <Choice openings={openings} chosen={chosen} nameOf={nameOf} onChoose={setChosenId} />
      {isEarly ? (
        <TooEarly opening={chosen} provider={nameOf(chosen.provider)} />
      ) : (
        <Fields form={form} provider={nameOf(chosen.provider)} />
      )}
      {form.failure !== null && (
        <p className={styles.failed} role="alert">
          {fieldError(form.failure)}
        </p>
      )}
      <div className={styles.foot}>
        <Button variant="subtle" onClick={onClose}>
          {isEarly ? t('claims.form.close') : t('common.cancel')}
        </Button>
        {!isEarly && (
          <Button type="submit" disabled={!form.isReady} loading={form.isPending}>
            {t('claims.form.submit')}
          </Button>
        )}
      </div>
    </form>
  );
}

type ChoiceProps = {
  openings: readonly Claimable[];
  chosen: Claimable;
  nameOf: (provider: string) => string;
  onChoose: (activityId: string) => void;
};

function Choice({ openings, chosen, nameOf, onChoose }: ChoiceProps) {
  const { t, i18n } = useTranslation();
  return (
    <fieldset className={styles.choice}>
      <legend>
        <FieldLabel text={t('claims.form.which')} help={t('claims.form.whichHelp')} />
      </legend>
      <div className={styles.options}>
        {openings.map((one) => (
          <label key={one.activityId}>
            <input
              type="radio"
              name="activity"
              checked={one.activityId === chosen.activityId}
              onChange={() => onChoose(one.activityId)}
            />
            <span>
              <b>{nameOf(one.provider)}</b>
              <small>{t('claims.form.opened', { time: formatTime(one.openedAt, i18n.language) })}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function TooEarly({ opening, provider }: { opening: Claimable; provider: string }) {
  const { t, i18n } = useTranslation();
  const hours = opening.arrivesWithinHours ?? 0;
  return (
    <div className={styles.early} role="status">
      <StatusBadge tone="plain" icon={IconClock}>
        {t('claims.form.earlyBadge')}
      </StatusBadge>
      <p>
        <b>{t('claims.form.early', { provider, hours })}</b>{' '}
        {t('claims.form.earlyText', { time: formatTime(opening.claimableFrom, i18n.language) })}
      </p>
    </div>
  );
}

function Fields({ form, provider }: { form: ReturnType<typeof useClaimForm>; provider: string }) {
  const { t } = useTranslation();
  const counted = t('claims.form.count', {
    count: formatPoints(form.text.length),
    most: formatPoints(CLAIM_TEXT_MAX),
  });
  return (
    <>
      <TextInput
        label={<FieldLabel text={t('claims.form.stated')} help={t('claims.form.statedHelp')} />}
        inputMode="numeric"
        autoComplete="off"
        maxLength={15}
        value={form.stated}
        error={fieldError(form.isStatedWrong ? t('claims.form.statedError') : null)}
        onChange={(event) => form.setStated(event.currentTarget.value)}
      />
      <Textarea
        label={<FieldLabel text={t('claims.form.text')} help={counted} />}
        rows={4}
        maxLength={CLAIM_TEXT_MAX}
        value={form.text}
        onChange={(event) => form.setText(event.currentTarget.value)}
      />
      <p className={styles.fine}>
        {t('claims.form.fine', { provider, askDays: CLAIM_ASK_DAYS, answerDays: CLAIM_ANSWER_DAYS })}
      </p>
    </>
  );
}
