import type { TFunction } from 'i18next';
import { isSamePassword, isShortPassword, passwordText } from '#contract/password-text.ts';
import { fieldError } from '#web/ui/field-parts.tsx';

/** The rules of a new password, checked in the form before sending. */
const PASSWORD_MAX = 256;

export function passwordRule(value: string, t: TFunction) {
  if (isShortPassword(value)) return fieldError(t('common.passwordShort'));
  return fieldError(passwordText(value).length > PASSWORD_MAX ? t('auth.errors.passwordLong') : null);
}

export const confirmationRule = (value: string, password: string, t: TFunction) =>
  fieldError(isSamePassword(value, password) ? null : t('common.passwordMismatch'));
