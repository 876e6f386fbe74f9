import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { Captcha } from './captcha.tsx';
import styles from './form.module.css';
import { Terms } from './terms.tsx';
import { useRegistration } from './use-registration.ts';

type Form = ReturnType<typeof useRegistration>['form'];

type RegisterFormProps = {
  onDone: () => void;
  referralCode: string;
  /** Called with the typed code on every change, because the Google link passes it on. */
  onReferralCode: (code: string) => void;
};

export function RegisterForm({ onDone, referralCode, onReferralCode }: RegisterFormProps) {
  const { t } = useTranslation();
  const { form, submit, isSending, device, captchaRound } = useRegistration({
    referralCode,
    onReferralCode,
    onDone,
  });
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <NameFields form={form} />
      <TextInput
        {...form.getInputProps('email')}
        key={form.key('email')}
        label={t('auth.email')}
        type="email"
        autoComplete="email"
        inputMode="email"
      />
      <PasswordFields form={form} />
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
      <Button type="submit" size="lg" fullWidth loading={isSending} disabled={device !== 'ready'}>
        {t('auth.register')}
      </Button>
      {device === 'failed' && (
        <div role="alert" className={styles.complaint}>
          {fieldError(t('auth.errors.device'))}
        </div>
      )}
      <Terms text={t('auth.terms')} />
    </form>
  );
}

/** In Korean the family name comes first. */
function NameFields({ form }: { form: Form }) {
  const { t, i18n } = useTranslation();
  const fields = [
    <TextInput
      {...form.getInputProps('firstName')}
      key={form.key('firstName')}
      label={t('auth.firstName')}
      autoComplete="given-name"
    />,
    <TextInput
      {...form.getInputProps('lastName')}
      key={form.key('lastName')}
      label={<FieldLabel text={t('auth.lastName')} help={t('common.optional')} />}
      autoComplete="family-name"
    />,
  ];
  return <div className={styles.pair}>{i18n.language === 'ko' ? fields.toReversed() : fields}</div>;
}

function PasswordFields({ form }: { form: Form }) {
  const { t } = useTranslation();
  return (
    <>
      <PasswordInput
        {...form.getInputProps('password')}
        key={form.key('password')}
        label={<FieldLabel text={t('auth.password')} help={t('auth.passwordHelp')} />}
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
    </>
  );
}
