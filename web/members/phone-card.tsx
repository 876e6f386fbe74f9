import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { PhoneProofFields } from './phone-proof.tsx';
import styles from './settings-page.module.css';
import { type PhoneProof, usePhoneProof } from './use-phone-proof.ts';
import { CODE_LENGTH, usePhoneVerification } from './use-phone-verification.ts';

/** Verifies the phone number with a code. A verified number is shown, and can be replaced. */
export function PhoneCard() {
  const { t } = useTranslation();
  const member = useMember();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isChanging, setChanging] = useState(false);
  const wasVerified = useRef(member.phoneVerified);
  useEffect(() => {
    // The form with the focus was removed, so the heading takes the focus.
    if (member.phoneVerified && !wasVerified.current) heading.current?.focus();
    wasVerified.current = member.phoneVerified;
  }, [member.phoneVerified]);
  return (
    <section className={`card ${styles.phone}`} aria-labelledby="phone">
      <div className={styles.phoneHead}>
        <h2 id="phone" ref={heading} tabIndex={-1}>
          {t('settings.phone.title')}
        </h2>
        {member.phoneVerified && <StatusBadge tone="ok">{t('settings.phone.verified')}</StatusBadge>}
      </div>
      {member.phoneVerified ? (
        <>
          <p className={`small dim ${styles.phoneText}`}>{t('settings.phone.verifiedText')}</p>
          <p className={styles.number}>{member.phoneNumber}</p>
          {isChanging ? (
            <PhoneChange
              oldNumber={member.phoneNumber ?? ''}
              onEnd={() => {
                setChanging(false);
                heading.current?.focus();
              }}
            />
          ) : (
            <Button variant="default" mt="md" onClick={() => setChanging(true)}>
              {t('settings.phone.change')}
            </Button>
          )}
        </>
      ) : (
        <>
          <p className={`small dim ${styles.phoneText}`}>{t('settings.phone.lead')}</p>
          <PhoneForm proof={null} />
        </>
      )}
    </section>
  );
}

/** Replaces a verified number, which stays valid until the new one is verified. */
function PhoneChange({ oldNumber, onEnd }: { oldNumber: string; onEnd: () => void }) {
  const proof = usePhoneProof(oldNumber);
  return (
    <div className={styles.change}>
      <PhoneForm proof={proof} oldNumber={oldNumber} onEnd={onEnd} />
    </div>
  );
}

type PhoneFormProps = { proof: PhoneProof | null; oldNumber?: string; onEnd?: () => void };

function PhoneForm({ proof, oldNumber = '', onEnd }: PhoneFormProps) {
  const { t, i18n } = useTranslation();
  const { number, code, sent, isBusy, submit, startAgain } = usePhoneVerification(proof, onEnd);
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (sent !== null) codeField.current?.focus();
  }, [sent]);
  return (
    <form onSubmit={submit} noValidate className={styles.step}>
      <TextInput
        label={
          <FieldLabel
            text={t(proof === null ? 'settings.phone.number' : 'settings.phone.newNumber')}
            help={t('settings.phone.format')}
          />
        }
        type="tel"
        autoComplete="tel"
        placeholder="+821012345678"
        value={number.text}
        disabled={sent !== null}
        error={fieldError(number.error)}
        onChange={(event) => number.change(event.currentTarget.value)}
      />
      {sent === null && proof !== null && <PhoneProofFields proof={proof} oldNumber={oldNumber} />}
      {sent !== null && (
        <>
          <p className="small" role="status">
            {t('settings.phone.sent', { number: sent.number })}{' '}
            {t('settings.phone.sentUntil', { time: formatTime(sent.expiresAt, i18n.language) })}
          </p>
          <TextInput
            ref={codeField}
            label={<FieldLabel text={t('settings.phone.code')} help={t('settings.phone.codeHelp')} />}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={CODE_LENGTH}
            value={code.text}
            error={fieldError(code.error)}
            onChange={(event) => code.change(event.currentTarget.value)}
          />
        </>
      )}
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
