import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forgotPassword } from '#contract/access-credentials.ts';
import { isEmail } from '#contract/email-text.ts';
import { useAct } from '#web/client/use-call.ts';
import { fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './form.module.css';
import { useTypedEmail } from './typed-email.ts';
import { useErrorsInLanguage } from './use-errors-in-language.ts';

/** Requests a link for a new password. The answer is the same for known and unknown addresses. */
export function ForgotForm({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation();
  const act = useAct(forgotPassword);
  // The address of an account that was locked just before.
  const lockedEmail = useLocation({ select: (location) => location.state.lockedEmail });
  const typedEmail = useTypedEmail();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: lockedEmail ?? typedEmail.begun },
    onValuesChange: ({ email }) => typedEmail.keep(email),
    validate: { email: (value) => fieldError(isEmail(value) ? null : t('auth.errors.email')) },
  });
  useErrorsInLanguage(form);
  const submit = form.onSubmit(({ email }) => {
    if (act.isPending) return;
    act.mutate(
      { body: { email: email.trim() } },
      {
        onSuccess: () => setSentTo(email.trim()),
        onError: (error) => toast.bad(t(`refusals.${error.code}`), t('access.forgot.failed')),
      },
    );
  });

  return (
    <>
      <h1>{t('access.forgot.title')}</h1>
      <p className="dim" role="status">
        {sentTo === null ? t('access.forgot.lead') : t('access.forgot.sent', { email: sentTo })}
      </p>
      <form onSubmit={submit} noValidate className={`${styles.form} ${styles.apart}`}>
        {sentTo === null && (
          <>
            <TextInput
              {...form.getInputProps('email')}
              key={form.key('email')}
              label={t('auth.email')}
              type="email"
              autoComplete="email"
              inputMode="email"
            />
            <Button type="submit" size="lg" fullWidth loading={act.isPending}>
              {t('access.forgot.send')}
            </Button>
          </>
        )}
        <Button variant={sentTo === null ? 'subtle' : 'default'} fullWidth onClick={onBack}>
          {t('access.toLogin')}
        </Button>
      </form>
    </>
  );
}
