import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { adminLogin, readGate } from '#contract/access.ts';
import { isEmail } from '#contract/email-text.ts';
import { startSession } from '#web/client/session.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import { AdminGate } from './admin-gate.tsx';
import { Captcha } from './captcha.tsx';
import styles from './form.module.css';
import { SignInFrame } from './sign-in-frame.tsx';
import { useSignInCaptcha } from './use-sign-in-captcha.ts';

const REDIRECT_MS = 500;

/** The operators' sign-in form, after the gate if the server has a gate key configured. */
export function GatedAdminLoginPage() {
  const gate = useRead(readGate);
  const [isPassed, setPassed] = useState(false);
  // A sign-in elsewhere, with a password or with Google, was refused for the key and led here.
  const isLedHere = useSearch({ strict: false }).error === 'wrong-key';
  if (gate.isPending) return null;
  if (isPassed || gate.data?.isOpen) return <AdminLoginPage isAfterGate={isPassed} />;
  return <AdminGate isLedHere={isLedHere} onPass={() => setPassed(true)} />;
}

/**
 * The operators' sign-in form. Any account can sign in; only the role `admin` opens the panel. It shows the gate when
 * the server asks for its key, and keeps what was typed. After the gate its first field has the focus.
 */
export function AdminLoginPage({ isAfterGate = false }: { isAfterGate?: boolean }) {
  const { t } = useTranslation();
  const act = useAct(adminLogin);
  const captcha = useSignInCaptcha();
  const [needsKey, setNeedsKey] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '' },
    validate: {
      username: (value) => fieldError(isEmail(value) ? null : t('adminLogin.errors.email')),
      password: (value) => fieldError(value === '' ? t('adminLogin.errors.password') : null),
    },
  });

  const submit = form.onSubmit((values) => {
    if (act.isPending || !captcha.check()) return;
    act.mutate(
      { body: { username: values.username.trim(), password: values.password, ...captcha.body } },
      {
        onSuccess: ({ user }) => {
          if (user.role !== 'admin') {
            void startSession(client);
            toast.bad(t('adminLogin.deniedText'), t('adminLogin.denied'));
            return;
          }
          toast.clear();
          setTimeout(async () => {
            await startSession(client);
            void navigate({ to: '/management-panel-x7k9w' });
          }, REDIRECT_MS);
        },
        onError: (error) => {
          if (error.code === 'wrong-key') setNeedsKey(true);
          else if (!captcha.takeRefusal(error))
            toast.bad(t(`refusals.${error.code}`), t('adminLogin.failed'));
        },
      },
    );
  });

  if (needsKey) return <AdminGate onPass={() => setNeedsKey(false)} />;
  const isLeaving = act.isSuccess && act.data.user.role === 'admin';
  return (
    <SignInFrame
      note={
        <Link to="/auth" className="link">
          {t('adminLogin.toMember')}
        </Link>
      }
    >
      <h1>{t('adminLogin.title')}</h1>
      <p className="dim">{t('adminLogin.lead')}</p>
      <form onSubmit={submit} noValidate className={styles.form} style={{ marginTop: 'var(--e-space-24)' }}>
        <Credentials form={form} isFocused={isAfterGate} />
        {captcha.isAsked && <Captcha {...captcha.props} />}
        <Button type="submit" size="lg" fullWidth loading={act.isPending || isLeaving}>
          {t('adminLogin.submit')}
        </Button>
      </form>
    </SignInFrame>
  );
}

type CredentialsProps = {
  form: UseFormReturnType<{ username: string; password: string }>;
  /** Whether the first field takes the focus, which the gate had. */
  isFocused: boolean;
};

function Credentials({ form, isFocused }: CredentialsProps) {
  const { t } = useTranslation();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) first.current?.focus();
  }, [isFocused]);
  return (
    <>
      <TextInput
        {...form.getInputProps('username')}
        key={form.key('username')}
        ref={first}
        label={t('adminLogin.email')}
        type="email"
        autoComplete="username"
        inputMode="email"
      />
      <PasswordInput
        {...form.getInputProps('password')}
        key={form.key('password')}
        label={t('adminLogin.password')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword'), tabIndex: 0 }}
      />
    </>
  );
}
