import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { phoneCountries } from '#web/ui/phone-countries.ts';
import { CODE_LENGTH, usePhoneVerification } from '#web/ui/use-phone-verification.ts';
import fields from './detail-fields.module.css';
import { findSentCode, keepPart } from './kept-draft.ts';
import styles from './withdrawal-dialog.module.css';

type Verification = ReturnType<typeof usePhoneVerification>;

/** The step between the details and the check: verifies the member's phone, once. What was typed before is kept. */
export function PhoneStep({ onBack, onDone }: { onBack: () => void; onDone: () => void }) {
  const { t } = useTranslation();
  const { id } = useMember();
  const [sentBefore] = useState(() => findSentCode(id, Date.now()));
  const verification = usePhoneVerification({
    proof: null,
    oldNumber: '',
    words: {
      format: t('withdrawals.phone.format'),
      send: t('withdrawals.phone.sendFailed'),
      triesLeft: (count) => t('withdrawals.phone.triesLeft', { count }),
    },
    isCheckedWhenWhole: true,
    sentBefore,
    onSent: (sentCode) => keepPart(id, { sentCode }),
    onDone: () => {
      keepPart(id, { sentCode: undefined });
      onDone();
    },
  });
  const { sent, isBusy, submit, startAgain } = verification;
  return (
    <form className={styles.step} onSubmit={submit} noValidate>
      <div className={styles.fields}>
        {sent === null ? <NumberFields {...verification} /> : <CodeField {...verification} sent={sent} />}
      </div>
      <div className={styles.foot}>
        <div className={styles.actions}>
          <Button variant="subtle" onClick={sent === null ? onBack : startAgain}>
            {t('withdrawals.phone.back')}
          </Button>
          <Button type="submit" className={styles.next} loading={isBusy}>
            {t(sent === null ? 'withdrawals.phone.send' : 'withdrawals.phone.verify')}
          </Button>
        </div>
      </div>
    </form>
  );
}

function NumberFields({ country, number, phoneNumber }: Verification) {
  const { t, i18n } = useTranslation();
  const countries = useMemo(() => phoneCountries(i18n.language), [i18n.language]);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <h3 className={styles.stepTitle}>{t('withdrawals.phone.title')}</h3>
      <p className={styles.stepText}>{t('withdrawals.phone.text')}</p>
      <div className={styles.phone}>
        <NativeSelect
          label={t('withdrawals.phone.country')}
          autoComplete="country"
          value={country.value}
          data={countries}
          onChange={(event) => country.change(event.currentTarget.value)}
        />
        <TextInput
          ref={field}
          label={<FieldLabel text={t('withdrawals.phone.number')} help={t('withdrawals.phone.numberHelp')} />}
          type="tel"
          autoComplete="tel"
          value={number.text}
          error={fieldError(number.error)}
          onChange={(event) => number.change(event.currentTarget.value)}
        />
      </div>
      <p className={fields.hint} role="status" data-tone="ok">
        {phoneNumber !== '' && number.error === null && (
          <>
            <IconCircleCheck size={16} stroke={2} aria-hidden="true" />
            <span className="num">{t('withdrawals.phone.willText', { number: phoneNumber })}</span>
          </>
        )}
      </p>
    </>
  );
}

function CodeField({
  code,
  sent,
  sendAgain,
  isBusy,
}: Verification & { sent: NonNullable<Verification['sent']> }) {
  const { t, i18n } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <h3 className={styles.stepTitle}>{t('withdrawals.phone.codeTitle')}</h3>
      <p className={styles.stepText} role="status">
        {t('withdrawals.phone.sent', { number: sent.number })}{' '}
        {t('withdrawals.phone.until', { time: formatTime(sent.expiresAt, i18n.language) })}
      </p>
      <TextInput
        ref={field}
        className={styles.codeField}
        label={<FieldLabel text={t('withdrawals.phone.code')} help={t('withdrawals.phone.codeHelp')} />}
        classNames={{ input: styles.code }}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={CODE_LENGTH}
        value={code.text}
        error={fieldError(code.error)}
        onChange={(event) => code.change(event.currentTarget.value)}
      />
      <p className={fields.hint}>
        {t('withdrawals.phone.nothing')}{' '}
        <button type="button" className="link" disabled={isBusy} onClick={sendAgain}>
          {t('withdrawals.phone.again')}
        </button>
      </p>
    </>
  );
}
