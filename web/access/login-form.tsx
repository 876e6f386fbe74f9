import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { login } from '#contract/access.ts';
import { isEmail } from '#contract/email-text.ts';
import { isShortPassword } from '#contract/password-text.ts';
import { useAct } from '#web/client/use-call.ts';
import { fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import { Captcha } from './captcha.tsx';
import styles from './form.module.css';
import { useTypedEmail } from './typed-email.ts';
import { useErrorsInLanguage } from './use-errors-in-language.ts';
import { useSignInCaptcha } from './use-sign-in-captcha.ts';

export function LoginForm({ onDone, onForgot }: { onDone: () => void; onForgot: () => void }) {
  const { t } = useTranslation();
  const act = useAct(login);
  const captcha = useSignInCaptcha();
  const navigate = useNavigate();
  const typedEmail = useTypedEmail();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: typedEmail.begun, password: '' },
    onValuesChange: ({ email }) => typedEmail.keep(email),
    validate: {
      email: (value) => fieldError(isEmail(value) ? null : t('auth.errors.email')),
      password: (value) => {
        if (value === '') return fieldError(t('auth.errors.passwordRequired'));
        return fieldError(isShortPassword(value) ? t('common.passwordShort') : null);
      },
    },
  });
  useErrorsInLanguage(form);

  const submit = form.onSubmit((values) => {
    if (act.isPending || act.isSuccess || !captcha.check()) return;
    act.mutate(
      { body: { email: values.email.trim(), password: values.password, ...captcha.body } },
      {
        onSuccess: (user) => {
          toast.ok(t('auth.welcome', { name: user.firstName }));
          onDone();
        },
        onError: (error) => {
          if (captcha.takeRefusal(error)) return;
          if (error.code !== 'wrong-key') {
            toast.bad(t(`refusals.${error.code}`), t('auth.loginFailed'));
            return;
          }
          // An operator's account is opened behind the gate, whose key was not asked for here.
          void navigate({ to: '/admin-key', search: { error: error.code } });
        },
      },
    );
  });

  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <TextInput
        {...form.getInputProps('email')}
        key={form.key('email')}
        label={t('auth.email')}
        type="email"
        autoComplete="email"
        inputMode="email"
      />
      <PasswordInput
        {...form.getInputProps('password')}
        key={form.key('password')}
        label={t('auth.password')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword'), tabIndex: 0 }}
      />
      {captcha.isAsked && <Captcha {...captcha.props} />}
      <Button type="submit" size="lg" fullWidth loading={act.isPending || act.isSuccess}>
        {t('auth.login')}
      </Button>
      <Button variant="subtle" fullWidth onClick={onForgot}>
        {t('access.forgot.link')}
      </Button>
    </form>
  );
}
