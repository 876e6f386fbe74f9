import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { phoneNumber as phoneRule, sendPhoneVerification, verifyPhoneCode } from '#contract/members.ts';
import { useMember, userQuery } from '#web/shell/session.ts';
import { useAct } from '#web/shell/use-call.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { formatTime } from '#web/ui/format.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './settings-page.module.css';

const CODE_LENGTH = 6;

/** The phone: enter a number, enter the code that was sent to it, done. A verified number is only shown. */
export function PhoneCard() {
  const { t } = useTranslation();
  const member = useMember();
  return (
    <section className={`card ${styles.phone}`} aria-labelledby="phone">
      <div className={styles.phoneHead}>
        <h2 id="phone">{t('settings.phone.title')}</h2>
        {member.phoneVerified && <StatusBadge tone="ok">{t('settings.phone.verified')}</StatusBadge>}
      </div>
      {member.phoneVerified ? (
        <>
          <p className={`small dim ${styles.phoneText}`}>{t('settings.phone.verifiedText')}</p>
          <p className={styles.number}>{member.phoneNumber}</p>
        </>
      ) : (
        <>
          <p className={`small dim ${styles.phoneText}`}>{t('settings.phone.lead')}</p>
          <PhoneForm />
        </>
      )}
    </section>
  );
}

function PhoneForm() {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const send = useAct(sendPhoneVerification);
  const verify = useAct(verifyPhoneCode);
  const [number, setNumber] = useState('');
  const [numberError, setNumberError] = useState<string | null>(null);
  const [code, setCode] = useState('');
  const [codeError, setCodeError] = useState<string | null>(null);
  const isSent = send.isSuccess;
  const plain = number.replace(/[\s()-]/g, '');

  const sendCode = (event: React.FormEvent) => {
    event.preventDefault();
    if (send.isPending) return;
    if (!phoneRule.safeParse(plain).success) {
      setNumberError(t('settings.phone.errors.format'));
      return;
    }
    send.mutate(
      { body: { phoneNumber: plain } },
      {
        onError: (error) =>
          setNumberError(`${t('settings.phone.errors.send')}. ${t(`refusals.${error.code}`)}`),
      },
    );
  };

  const verifyCode = (event: React.FormEvent) => {
    event.preventDefault();
    if (verify.isPending || code.length !== CODE_LENGTH) return;
    verify.mutate(
      { body: { phoneNumber: plain, code } },
      {
        onSuccess: (user) => {
          toast.ok(t('settings.phone.done'));
          client.setQueryData(userQuery.queryKey, user);
        },
        onError: (error) => setCodeError(t(`refusals.${error.code}`)),
      },
    );
  };

  const startAgain = () => {
    send.reset();
    setCode('');
    setCodeError(null);
  };

  return (
    <form onSubmit={isSent ? verifyCode : sendCode} noValidate className={styles.step}>
      <TextInput
        label={<FieldLabel text={t('settings.phone.number')} help={t('settings.phone.format')} />}
        type="tel"
        autoComplete="tel"
        placeholder="+821012345678"
        value={number}
        disabled={isSent}
        error={fieldError(numberError)}
        onChange={(event) => {
          setNumber(event.currentTarget.value);
          setNumberError(null);
        }}
      />
      {isSent && (
        <>
          <p className="small" role="status">
            {t('settings.phone.sent', { number: plain })}{' '}
            {t('settings.phone.sentUntil', { time: formatTime(send.data.expiresAt, i18n.language) })}
          </p>
          <TextInput
            label={<FieldLabel text={t('settings.phone.code')} help={t('settings.phone.codeHelp')} />}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={CODE_LENGTH}
            value={code}
            error={fieldError(codeError)}
            data-autofocus
            onChange={(event) => {
              setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, CODE_LENGTH));
              setCodeError(null);
            }}
          />
        </>
      )}
      <div className={styles.buttons}>
        {isSent ? (
          <>
            <Button type="submit" loading={verify.isPending} disabled={code.length !== CODE_LENGTH}>
              {t('settings.phone.verify')}
            </Button>
            <Button variant="default" onClick={startAgain}>
              {t('settings.phone.resend')}
            </Button>
          </>
        ) : (
          <Button type="submit" loading={send.isPending}>
            {t('settings.phone.send')}
          </Button>
        )}
      </div>
    </form>
  );
}
