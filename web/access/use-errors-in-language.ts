import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

type ValidatedForm = Pick<UseFormReturnType<Record<string, string>>, 'errors'> & {
  validateField: (field: never) => unknown;
};

/** Validates the fields with errors again when the language changes, because errors are stored as translated text. */
export function useErrorsInLanguage(form: ValidatedForm): void {
  const { language } = useTranslation().i18n;
  const before = useRef(language);
  useEffect(() => {
    if (before.current === language) return;
    before.current = language;
    for (const field of Object.keys(form.errors)) form.validateField(field as never);
  }, [language, form]);
}
