import { Button, PasswordInput, TextInput } from '@mantine/core';
import { isEmail, useForm } from '@mantine/form';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkRegistration, register } from '#contract/members.ts';
import { type ApiError, call, type FailureCode, isApiError } from '#web/shell/api.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import { Captcha } from './captcha.tsx';
import { useFingerprint } from './fingerprint.ts';
import styles from './form.module.css';

const PASSWORD_MIN = 6;
const PASSWORD_MAX = 256;
const NAME_MAX = 100;

type Values = {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  confirmPassword: string;
  referralCode: string;
  captcha: string;
};

/** Which field a refusal speaks about; the others are said in a toast. */
const fieldOf: Partial<Record<FailureCode, keyof Values>> = {
  'email-taken': 'email',
  'common-password': 'password',
  'unknown-referral-code': 'referralCode',
  'captcha-failed': 'captcha',
};

const rulesFor = (t: TFunction) => ({
  firstName: (value: string) => {
    if (value.trim() === '') return fieldError(t('auth.errors.name'));
    return fieldError(value.trim().length > NAME_MAX ? t('auth.errors.tooLong') : null);
  },
  lastName: (value: string) => fieldError(value.trim().length > NAME_MAX ? t('auth.errors.tooLong') : null),
  email: (value: string) => fieldError(isEmail(t('auth.errors.email'))(value.trim())),
  password: (value: string) => {
    if (value.length < PASSWORD_MIN) return fieldError(t('auth.errors.passwordShort'));
    return fieldError(value.length > PASSWORD_MAX ? t('auth.errors.passwordLong') : null);
  },
  confirmPassword: (value: string, values: Values) =>
    fieldError(value === values.password ? null : t('auth.errors.mismatch')),
  referralCode: (value: string) => fieldError(value.trim().length > 40 ? t('auth.errors.tooLong') : null),
  captcha: (value: string) => fieldError(value === '' ? t('auth.errors.captcha') : null),
});

/** Asks first whether this registration would be allowed. Throws a sentence for the reader where it would not. */
async function passSecurityCheck(email: string, deviceFingerprint: string, t: TFunction): Promise<void> {
  const verdict = await call(checkRegistration, {
    body: { email, phoneNumber: '', deviceFingerprint },
  }).catch((error: unknown) => {
    throw isApiError(error) ? new Error(t('auth.errors.check'), { cause: error }) : error;
  });
  if (verdict.allowed) return;
  if (verdict.blockAccount) throw new Error(t('auth.errors.blocked'));
  if (verdict.requiresManualReview) throw new Error(t('auth.errors.review'));
  if (verdict.reasons.length === 0) throw new Error(t('auth.errors.notAllowedPlain'));
  throw new Error(t('auth.errors.notAllowed', { reasons: verdict.reasons.join(', ') }));
}

export function RegisterForm({ onDone, referralCode }: { onDone: () => void; referralCode: string }) {
  const { t } = useTranslation();
  const fingerprint = useFingerprint();
  const [isSending, setSending] = useState(false);
  const [captchaRound, setCaptchaRound] = useState(0);
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: {
      firstName: '',
      lastName: '',
      email: '',
      password: '',
      confirmPassword: '',
      referralCode,
      captcha: '',
    },
    validate: rulesFor(t),
  });

  const showRefusal = (error: ApiError) => {
    const field = fieldOf[error.code];
    const sentence = t(`refusals.${error.code}`);
    if (field !== undefined) form.setFieldError(field, fieldError(sentence));
    for (const { path } of error.problem?.errors ?? []) {
      if (path in form.getValues()) form.setFieldError(path, fieldError(sentence));
    }
    toast.bad(sentence, t('auth.registerFailed'));
  };

  const send = async (values: Values) => {
    if (fingerprint === null) throw new Error(t('auth.errors.device'));
    const email = values.email.trim();
    await passSecurityCheck(email, fingerprint.encoded, t);
    await call(register, {
      body: {
        email,
        password: values.password,
        firstName: values.firstName.trim(),
        lastName: values.lastName.trim() === '' ? null : values.lastName.trim(),
        referralCode: values.referralCode.trim() === '' ? null : values.referralCode.trim(),
        deviceFingerprint: fingerprint.encoded,
        hcaptchaToken: values.captcha,
      },
    });
  };

  const submit = form.onSubmit(async (values) => {
    if (isSending) return;
    setSending(true);
    try {
      await send(values);
      toast.ok(t('auth.created'));
      onDone();
    } catch (error) {
      // A captcha is good for one try.
      setCaptchaRound((round) => round + 1);
      form.setFieldValue('captcha', '');
      setSending(false);
      if (isApiError(error)) showRefusal(error);
      else toast.bad(error instanceof Error ? error.message : String(error), t('auth.registerFailed'));
    }
  });

  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <div className={styles.pair}>
        <TextInput
          {...form.getInputProps('firstName')}
          key={form.key('firstName')}
          label={t('auth.firstName')}
          autoComplete="given-name"
        />
        <TextInput
          {...form.getInputProps('lastName')}
          key={form.key('lastName')}
          label={<FieldLabel text={t('auth.lastName')} help={t('common.optional')} />}
          autoComplete="family-name"
        />
      </div>
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
        label={<FieldLabel text={t('auth.password')} help={t('auth.passwordHelp')} />}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
      />
      <PasswordInput
        {...form.getInputProps('confirmPassword')}
        key={form.key('confirmPassword')}
        label={t('auth.confirmPassword')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
      />
      <TextInput
        {...form.getInputProps('referralCode')}
        key={form.key('referralCode')}
        label={<FieldLabel text={t('auth.referralCode')} help={t('common.optional')} />}
        autoComplete="off"
      />
      <Captcha
        round={captchaRound}
        error={form.errors.captcha}
        onToken={(token) => {
          form.setFieldValue('captcha', token);
          form.clearFieldError('captcha');
        }}
        onLost={(reason) => {
          form.setFieldValue('captcha', '');
          form.setFieldError('captcha', fieldError(t(`auth.errors.${reason}`)));
        }}
      />
      <Button type="submit" size="lg" fullWidth loading={isSending} disabled={fingerprint === null}>
        {t('auth.register')}
      </Button>
      <p className={styles.terms}>{t('auth.terms')}</p>
    </form>
  );
}
