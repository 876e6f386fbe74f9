import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readPasswordState } from '#contract/access-credentials.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './settings-page.module.css';
import { type PasswordFields, useNewPassword } from './use-new-password.ts';

/** Changes the password, or sets the first one for a member who signed in with Google. */
export function PasswordCard() {
  const { t } = useTranslation();
  const state = useRead(readPasswordState);
  // Most members have a password, so the card has that size until the state is known.
  const isSet = state.data?.isSet ?? true;
  const isGoogleEnabled = useSiteConfig().data?.googleEnabled ?? false;
  return (
    <section className={`card ${styles.block}`} aria-labelledby="password" id="password-card">
      <h2 id="password">{t(isSet ? 'settings.password.title' : 'settings.password.setTitle')}</h2>
      <p className={`small dim ${styles.text}`}>
        {t(isSet ? 'settings.password.lead' : 'settings.password.setLead')}
      </p>
      {state.isError ? (
        <ErrorState
          title={t('settings.password.unread')}
          text={t(`refusals.${state.error.code}`)}
          requestId={requestIdOf(state.error)}
          onRetry={() => void state.refetch()}
        />
      ) : (
        <NewPasswordForm key={String(isSet)} hasPassword={isSet} isReady={state.data !== undefined} />
      )}
      {isGoogleEnabled && isSet && <GoogleLink />}
    </section>
  );
}

/** Links the Google account of the member's address: signing in with it does so. */
function GoogleLink() {
  const { t } = useTranslation();
  return (
    <div className={`${styles.form} ${styles.apart}`}>
      <p className="small dim">{t('settings.password.googleLead')}</p>
      <div>
        <Button component="a" href="/api/auth/google" variant="default">
          {t('settings.password.google')}
        </Button>
      </div>
    </div>
  );
}

const emptyFields: PasswordFields = { current: '', next: '', confirmation: '' };

/** The button is enabled once every field has a text. Pressing it validates the fields. */
function NewPasswordForm({ hasPassword, isReady }: { hasPassword: boolean; isReady: boolean }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(emptyFields);
  const { errors, forget, submit, isBusy } = useNewPassword(hasPassword, () => setTyped(emptyFields));
  const isWhole = (typed.current !== '' || !hasPassword) && typed.next !== '' && typed.confirmation !== '';
  const field = (name: keyof PasswordFields, autoComplete: string) => ({
    value: typed[name],
    autoComplete,
    error: fieldError(errors[name]),
    maxLength: 256,
    visibilityToggleButtonProps: { 'aria-label': t('common.showPassword'), tabIndex: 0 },
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      setTyped((before) => ({ ...before, [name]: value }));
      forget(name);
    },
  });
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole && isReady && !isBusy) submit(typed);
      }}
    >
      {hasPassword && (
        <PasswordInput {...field('current', 'current-password')} label={t('settings.password.current')} />
      )}
      <PasswordInput
        {...field('next', 'new-password')}
        label={<FieldLabel text={t('settings.password.new')} help={t('settings.password.help')} />}
      />
      <PasswordInput {...field('confirmation', 'new-password')} label={t('settings.password.confirm')} />
      <div>
        <Button type="submit" disabled={!isWhole || !isReady} loading={isBusy}>
          {t(hasPassword ? 'settings.password.save' : 'settings.password.setSave')}
        </Button>
      </div>
    </form>
  );
}
