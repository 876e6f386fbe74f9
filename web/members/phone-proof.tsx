import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './settings-page.module.css';
import type { PhoneProof } from './use-phone-proof.ts';

/** Asks for the password or for a code sent to the old number. */
export function PhoneProofFields({ proof, oldNumber }: { proof: PhoneProof; oldNumber: string }) {
  const { t } = useTranslation();
  const field = {
    value: proof.text,
    error: fieldError(proof.error),
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => proof.change(event.currentTarget.value),
  };
  return (
    <>
      {proof.kind === 'password' && (
        <PasswordInput
          {...field}
          label={t('settings.phone.password')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword'), tabIndex: 0 }}
        />
      )}
      {proof.kind === 'code' && (
        <>
          <div className={styles.buttons}>
            <Button variant="default" onClick={proof.sendCode} loading={proof.isSending}>
              {t('settings.phone.sendOld', { number: oldNumber })}
            </Button>
          </div>
          {proof.isSent && (
            <p className="small" role="status">
              {t('settings.phone.sent', { number: oldNumber })}
            </p>
          )}
          <TextInput
            {...field}
            label={<FieldLabel text={t('settings.phone.oldCode')} help={t('settings.phone.codeHelp')} />}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
          />
        </>
      )}
      {proof.hasPassword && (
        <div className={styles.buttons}>
          <Button variant="subtle" onClick={proof.swap}>
            {t(proof.kind === 'password' ? 'settings.phone.byCode' : 'settings.phone.byPassword')}
          </Button>
        </div>
      )}
    </>
  );
}
