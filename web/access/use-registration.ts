import { useForm } from '@mantine/form';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkRegistration, DOMAIN_BLOCKED, register, TURNED_DOWN } from '#contract/access.ts';
import { isEmail } from '#contract/email-text.ts';
import { type ApiError, call, type FailureCode, isApiError } from '#web/client/call.ts';
import { fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useFingerprint } from './fingerprint.ts';
import { confirmationRule, passwordRule } from './password-rules.ts';
import { useTypedEmail } from './typed-email.ts';
import { useErrorsInLanguage } from './use-errors-in-language.ts';

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

const empty: Values = {
  firstName: '',
  lastName: '',
  email: '',
  password: '',
  confirmPassword: '',
  referralCode: '',
  captcha: '',
};

/** Maps a refusal's code to its form field. Every refusal also shows as a toast. */
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
  email: (value: string) => fieldError(isEmail(value) ? null : t('auth.errors.email')),
  password: (value: string) => passwordRule(value, t),
  confirmPassword: (value: string, values: Values) => confirmationRule(value, values.password, t),
  referralCode: (value: string) => fieldError(value.trim().length > 40 ? t('auth.errors.tooLong') : null),
  captcha: (value: string) => fieldError(value === '' ? t('auth.errors.captcha') : null),
});

/** Asks the server whether this registration is allowed. Throws an Error with a translated message if not. */
async function passSecurityCheck(email: string, deviceFingerprint: string, t: TFunction): Promise<void> {
  const verdict = await call(checkRegistration, {
    body: { email, phoneNumber: '', deviceFingerprint },
  }).catch((error: unknown) => {
    throw isApiError(error) ? new Error(t('auth.errors.check'), { cause: error }) : error;
  });
  // The server keeps a registration that needs a review only when it is sent, and refuses it with the same sentence.
  if (verdict.allowed || verdict.requiresManualReview) return;
  if (verdict.blockAccount) throw new Error(t('auth.errors.blocked'));
  if (verdict.reasons.length === 0) throw new Error(t('auth.errors.notAllowedPlain'));
  const reasons = verdict.reasons.map((reason) => {
    if (reason === DOMAIN_BLOCKED) return t('auth.errors.domainBlocked');
    return reason === TURNED_DOWN ? t('auth.errors.turnedDown') : reason;
  });
  throw new Error(t('auth.errors.notAllowed', { reasons: reasons.join(', ') }));
}

type RegistrationOptions = {
  referralCode: string;
  onReferralCode: (code: string) => void;
  onDone: () => void;
};

/** Registration needs the device's hash. */
const stateOf = (fingerprint: ReturnType<typeof useFingerprint>) => {
  if (fingerprint === null) return 'reading';
  return fingerprint === 'failed' ? 'failed' : 'ready';
};

/** The registration form: its values, validation and submission. */
export function useRegistration({ referralCode, onReferralCode, onDone }: RegistrationOptions) {
  const { t } = useTranslation();
  const fingerprint = useFingerprint();
  const [isSending, setSending] = useState(false);
  const [captchaRound, setCaptchaRound] = useState(0);
  const typedEmail = useTypedEmail();
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { ...empty, email: typedEmail.begun, referralCode },
    onValuesChange: (values) => {
      typedEmail.keep(values.email);
      onReferralCode(values.referralCode);
    },
    validate: rulesFor(t),
  });
  useErrorsInLanguage(form);

  const showRefusal = (error: ApiError) => {
    const field = fieldOf[error.code];
    const sentence = t(`refusals.${error.code}`);
    if (field !== undefined) form.setFieldError(field, fieldError(sentence));
    for (const { path } of error.problem?.errors ?? []) {
      if (path in form.getValues()) form.setFieldError(path, fieldError(sentence));
    }
    toast.bad(sentence, t('auth.registerFailed'));
  };

  const submit = form.onSubmit(async (values) => {
    if (isSending) return;
    setSending(true);
    try {
      if (fingerprint === null || fingerprint === 'failed') throw new Error(t('auth.errors.device'));
      await passSecurityCheck(values.email.trim(), fingerprint.encoded, t);
      await call(register, { body: bodyOf(values, fingerprint.encoded) });
      toast.ok(t('auth.created'));
      onDone();
    } catch (error) {
      // A captcha token is valid for one try.
      setCaptchaRound((round) => round + 1);
      form.setFieldValue('captcha', '');
      setSending(false);
      if (isApiError(error)) showRefusal(error);
      else toast.bad(error instanceof Error ? error.message : String(error), t('auth.registerFailed'));
    }
  });

  return { form, submit, isSending, device: stateOf(fingerprint), captchaRound };
}

/** Trims the texts; an empty optional text becomes null. */
function bodyOf(values: Values, deviceFingerprint: string) {
  const trimmedOrNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return {
    email: values.email.trim(),
    password: values.password,
    firstName: values.firstName.trim(),
    lastName: trimmedOrNull(values.lastName),
    referralCode: trimmedOrNull(values.referralCode),
    deviceFingerprint,
    hcaptchaToken: values.captcha,
  };
}
