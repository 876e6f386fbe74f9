import type { TFunction } from 'i18next';
import { fieldError } from '#web/ui/field-parts.tsx';

/** The rules of a new password, checked in the form before sending. */
const PASSWORD_MIN = 6;
const PASSWORD_MAX = 256;

export function passwordRule(value: string, t: TFunction) {
  if (value.length < PASSWORD_MIN) return fieldError(t('common.passwordShort'));
  return fieldError(value.length > PASSWORD_MAX ? t('auth.errors.passwordLong') : null);
}

export const confirmationRule = (value: string, password: string, t: TFunction) =>
  fieldError(value === password ? null : t('common.passwordMismatch'));
