import { Button, PasswordInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { passGate } from '#contract/access.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './form.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

type AdminGateProps = {
  /** Whether a sign-in elsewhere led here, because it needs the key first. */
  isLedHere?: boolean;
  onPass: () => void;
};

/**
 * Asks for the gate key before the operators' sign-in form. The field has the focus. A wrong key shows a toast and
 * clears the field; the right key removes the toast.
 */
export function AdminGate({ isLedHere = false, onPass }: AdminGateProps) {
  const { t } = useTranslation();
  const { mutate, isPending } = useAct(passGate);
  const [key, setKey] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (key === '' || isPending) return;
    mutate(
      { body: { key } },
      {
        onSuccess: () => {
          toast.clear();
          onPass();
        },
        onError: (error) => {
          setKey('');
          field.current?.focus();
          toast.bad(t(`refusals.${error.code}`));
        },
      },
    );
  };

  return (
    <SignInFrame>
      <h1>{t('adminLogin.gate.title')}</h1>
      <p className="dim" role={isLedHere ? 'status' : undefined}>
        {t(isLedHere ? 'adminLogin.gate.first' : 'adminLogin.gate.lead')}
      </p>
      <form onSubmit={submit} noValidate className={styles.form} style={{ marginTop: 'var(--e-space-24)' }}>
        <PasswordInput
          ref={field}
          label={t('adminLogin.gate.key')}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
        />
        <Button type="submit" size="lg" fullWidth loading={isPending} disabled={key === ''}>
          {t('adminLogin.gate.submit')}
        </Button>
        <Button component="a" href="/" variant="default" fullWidth>
          {t('adminLogin.gate.home')}
        </Button>
      </form>
    </SignInFrame>
  );
}
