import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '#web/client/format.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { phoneCountries } from '#web/ui/phone-countries.ts';
import { toast } from '#web/ui/toast.tsx';
import { CODE_LENGTH, usePhoneVerification } from '#web/ui/use-phone-verification.ts';
import { PhoneProofFields } from './phone-proof.tsx';
import styles from './settings-page.module.css';
import { type PhoneProof, usePhoneProof } from './use-phone-proof.ts';

/** Replaces a verified number, which stays valid until the new one is verified. */
export function PhoneChange({ oldNumber, onEnd }: { oldNumber: string; onEnd: () => void }) {
  const proof = usePhoneProof(oldNumber);
  return (
    <div className={styles.change}>
      <PhoneForm proof={proof} oldNumber={oldNumber} onEnd={onEnd} />
    </div>
  );
}

type PhoneFormProps = { proof: PhoneProof | null; oldNumber?: string; onEnd?: () => void };

/** Asks for a number, as people of the chosen country write it or in the international form, and then for its code. */
export function PhoneForm({ proof, oldNumber = '', onEnd }: PhoneFormProps) {
  const { t, i18n } = useTranslation();
  const countries = useMemo(() => phoneCountries(i18n.language), [i18n.language]);
  const { country, number, code, sent, isBusy, submit, startAgain } = usePhoneVerification({
    proof,
    oldNumber,
    words: {
      format: t('settings.phone.errors.format'),
      send: t('settings.phone.errors.send'),
      triesLeft: (count) => t('settings.phone.errors.triesLeft', { count }),
    },
    onDone: () => {
      toast.ok(t('settings.phone.done'));
      onEnd?.();
    },
  });
  return (
    <form onSubmit={submit} noValidate className={styles.step}>
      <NativeSelect
        label={t('settings.phone.country')}
        autoComplete="country"
        value={country.value}
        data={countries}
        disabled={sent !== null}
        onChange={(event) => country.change(event.currentTarget.value)}
      />
      <TextInput
        label={t(proof === null ? 'settings.phone.number' : 'settings.phone.newNumber')}
        type="tel"
        autoComplete="tel"
        placeholder={country.value === 'KR' ? '010-1234-5678' : undefined}
        value={number.text}
        disabled={sent !== null}
        error={fieldError(number.error)}
        onChange={(event) => number.change(event.currentTarget.value)}
      />
      {sent === null && proof !== null && <PhoneProofFields proof={proof} oldNumber={oldNumber} />}
      {sent !== null && <CodeField code={code} sent={sent} />}
      <div className={styles.buttons}>
        <Button type="submit" loading={isBusy} disabled={sent !== null && code.text.length !== CODE_LENGTH}>
          {t(sent === null ? 'settings.phone.send' : 'settings.phone.verify')}
        </Button>
        {sent !== null && (
          <Button variant="default" onClick={startAgain}>
            {t('settings.phone.resend')}
          </Button>
        )}
        {onEnd !== undefined && (
          <Button variant="subtle" onClick={onEnd}>
            {t('common.cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}

type Verification = ReturnType<typeof usePhoneVerification>;
type CodeFieldProps = Pick<Verification, 'code'> & { sent: NonNullable<Verification['sent']> };

function CodeField({ code, sent }: CodeFieldProps) {
  const { t, i18n } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <p className="small" role="status">
        {t('settings.phone.sent', { number: sent.number })}{' '}
        {t('settings.phone.sentUntil', { time: formatTime(sent.expiresAt, i18n.language) })}
      </p>
      <TextInput
        ref={field}
        label={<FieldLabel text={t('settings.phone.code')} help={t('settings.phone.codeHelp')} />}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={CODE_LENGTH}
        value={code.text}
        error={fieldError(code.error)}
        onChange={(event) => code.change(event.currentTarget.value)}
      />
    </>
  );
}
