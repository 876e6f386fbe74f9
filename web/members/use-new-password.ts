import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changePassword, readPasswordState, setPassword } from '#contract/access-credentials.ts';
import { isSamePassword, isShortPassword } from '#contract/password-text.ts';
import type { ApiError } from '#web/client/call.ts';
import { keyOf, refreshTopics, useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

export type PasswordFields = { current: string; next: string; confirmation: string };
type Errors = { [Field in keyof PasswordFields]?: string };

/** Validates the form, changes or sets the password, and shows the result. */
export function useNewPassword(hasPassword: boolean, onDone: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const changing = useAct(changePassword);
  const setting = useAct(setPassword);
  const [errors, setErrors] = useState<Errors>({});

  const errorsOf = ({ next, confirmation }: PasswordFields): Errors => {
    if (isShortPassword(next)) return { next: t('common.passwordShort') };
    return isSamePassword(next, confirmation) ? {} : { confirmation: t('common.passwordMismatch') };
  };
  const refused = (error: ApiError) => {
    toast.bad(
      t(`refusals.${error.code}`),
      t(hasPassword ? 'settings.password.failed' : 'settings.password.setFailed'),
    );
    if (error.code === 'wrong-password') setErrors({ current: t('refusals.wrong-password') });
    if (error.code === 'common-password') setErrors({ next: t('refusals.common-password') });
    if (error.code === 'no-password' || error.code === 'has-password')
      void refreshTopics(client, ['password']);
  };
  const done = () => {
    toast.ok(t(hasPassword ? 'settings.password.done' : 'settings.password.setDone'));
    onDone();
    client.setQueryData([...keyOf(readPasswordState, {})], { isSet: true });
  };
  const submit = (typed: PasswordFields) => {
    const found = errorsOf(typed);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const replies = { onSuccess: done, onError: refused };
    if (hasPassword)
      changing.mutate({ body: { currentPassword: typed.current, newPassword: typed.next } }, replies);
    else setting.mutate({ body: { newPassword: typed.next } }, replies);
  };
  return {
    errors,
    /** Typing clears the error. */
    forget: (name: keyof PasswordFields) => setErrors(({ [name]: _, ...rest }) => rest),
    submit,
    isBusy: changing.isPending || setting.isPending,
  };
}
