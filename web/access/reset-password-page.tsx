import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resetPassword } from '#contract/access-credentials.ts';
import type { ApiError } from '#web/client/call.ts';
import { endSession } from '#web/client/session.ts';
import { useAct } from '#web/client/use-call.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './form.module.css';
import { confirmationRule, passwordRule } from './password-rules.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import { useErrorsInLanguage } from './use-errors-in-language.ts';

/** Sets a new password with the token from a mail. An invalid or expired link leads to a new request. */
export function ResetPasswordPage() {
  const { t } = useTranslation();
  const { token = '' } = useSearch({ strict: false });
  const [state, setState] = useState<'asking' | 'done' | 'lost'>(token === '' ? 'lost' : 'asking');
  return (
    <SignInFrame>
      <h1>{t(`access.reset.${state}.title`)}</h1>
      <p className="dim" role="status">
        {t(`access.reset.${state}.text`)}
      </p>
      {state === 'asking' && (
        <ResetForm token={token} onDone={() => setState('done')} onLost={() => setState('lost')} />
      )}
      {state === 'done' && (
        <Button component="a" href="/auth" size="lg" fullWidth className={styles.apart}>
          {t('access.toLogin')}
        </Button>
      )}
      {state === 'lost' && (
        <Button component="a" href="/auth?tab=forgot" size="lg" fullWidth className={styles.apart}>
          {t('access.reset.lost.again')}
        </Button>
      )}
    </SignInFrame>
  );
}

type ResetFormProps = { token: string; onDone: () => void; onLost: () => void };

function ResetForm({ token, onDone, onLost }: ResetFormProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const act = useAct(resetPassword);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', confirmPassword: '' },
    validate: {
      password: (value) => passwordRule(value, t),
      confirmPassword: (value, values) => confirmationRule(value, values.password, t),
    },
  });
  useErrorsInLanguage(form);
  const showError = (error: ApiError) => {
    const isLost = ['wrong-code', 'code-expired', 'invalid-request'].includes(error.code);
    toast.bad(t(isLost ? 'access.reset.lost.title' : `refusals.${error.code}`), t('access.reset.failed'));
    if (isLost) onLost();
    else if (error.code === 'common-password')
      form.setFieldError('password', fieldError(t('refusals.common-password')));
  };
  const submit = form.onSubmit(({ password }) => {
    if (act.isPending) return;
    act.mutate(
      { body: { token, newPassword: password } },
      {
        onSuccess: () => {
          // The reset ended every session, also this browser's.
          endSession(client);
          // An error toast of an earlier try would contradict the success heading.
          toast.clear();
          onDone();
        },
        onError: showError,
      },
    );
  });
  return (
    <form onSubmit={submit} noValidate className={`${styles.form} ${styles.apart}`}>
      <PasswordInput
        {...form.getInputProps('password')}
        key={form.key('password')}
        label={<FieldLabel text={t('access.reset.newPassword')} help={t('auth.passwordHelp')} />}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword'), tabIndex: 0 }}
      />
      <PasswordInput
        {...form.getInputProps('confirmPassword')}
        key={form.key('confirmPassword')}
        label={t('auth.confirmPassword')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword'), tabIndex: 0 }}
      />
      <Button type="submit" size="lg" fullWidth loading={act.isPending}>
        {t('access.reset.submit')}
      </Button>
    </form>
  );
}
