import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type Household,
  joinHousehold,
  leaveHousehold,
  makeHouseholdCode,
  readHousehold,
} from '#contract/risk-households.ts';
import { type ApiError, requestIdOf } from '#web/client/call.ts';
import { formatTime } from '#web/client/format.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './settings-page.module.css';

/** Members who share a connection or a device say so: one makes a code, the others enter it. */
export function HouseholdCard() {
  const { t } = useTranslation();
  const { data, isPending, isError, error, refetch } = useRead(readHousehold);
  return (
    <section className={`card ${styles.block}`} aria-labelledby="household">
      <h2 id="household">{t('settings.household.title')}</h2>
      <p className={`small dim ${styles.text}`}>{t('settings.household.lead')}</p>
      {isPending && <SkeletonRows count={1} />}
      {isError && (
        <ErrorState
          title={t('settings.household.unread')}
          text={t('settings.household.unreadText')}
          requestId={requestIdOf(error)}
          onRetry={() => void refetch()}
        />
      )}
      {data !== undefined && (data.members.length > 0 ? <Own household={data} /> : <Enter />)}
    </section>
  );
}

function useFailed() {
  const { t } = useTranslation();
  return (error: ApiError) => toast.bad(t(`refusals.${error.code}`), t('settings.household.failed'));
}

/** The members of the own household, its code, and the way out. */
function Own({ household: { members, code, codeExpiresAt } }: { household: Household }) {
  const { t, i18n } = useTranslation();
  const onError = useFailed();
  const leaving = useAct(leaveHousehold);
  const leave = () =>
    leaving.mutate({}, { onSuccess: () => toast.ok(t('settings.household.left')), onError });
  return (
    <div className={styles.form}>
      <div>
        <b>{t('settings.household.own')}</b>
        <p>
          {members
            .map(({ firstName, isSelf }) =>
              isSelf ? t('settings.household.self', { name: firstName }) : firstName,
            )
            .join(', ')}
        </p>
      </div>
      {code !== null && (
        <div>
          <b>{t('settings.household.code')}</b>
          <p>
            <span className="mono">{code}</span>{' '}
            <CopyButton text={code} label={t('settings.household.code')} />
          </p>
          <p className="small dim">
            {t('settings.household.codeText', { time: formatTime(codeExpiresAt ?? '', i18n.language) })}
          </p>
        </div>
      )}
      <MakeCode label={t(code === null ? 'settings.household.make' : 'settings.household.remake')} />
      <Button variant="default" loading={leaving.isPending} onClick={leave}>
        {t('settings.household.leave')}
      </Button>
    </div>
  );
}

function MakeCode({ label }: { label: string }) {
  const onError = useFailed();
  const making = useAct(makeHouseholdCode);
  return (
    <Button variant="default" loading={making.isPending} onClick={() => making.mutate({}, { onError })}>
      {label}
    </Button>
  );
}

/** For who is in none: a code to enter, or a new one for others. */
function Enter() {
  const { t } = useTranslation();
  const onError = useFailed();
  const joining = useAct(joinHousehold);
  const [code, setCode] = useState('');
  const join = (event: FormEvent) => {
    event.preventDefault();
    joining.mutate(
      { body: { code } },
      { onSuccess: () => toast.ok(t('settings.household.joined')), onError },
    );
  };
  return (
    <div className={styles.form}>
      <form onSubmit={join} className={styles.form}>
        <TextInput
          label={t('settings.household.enter')}
          value={code}
          maxLength={40}
          autoComplete="off"
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={joining.isPending} disabled={code.trim() === ''}>
          {t('settings.household.join')}
        </Button>
      </form>
      <MakeCode label={t('settings.household.make')} />
    </div>
  );
}
