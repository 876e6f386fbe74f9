import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

type Judged = Pick<UseFormReturnType<Record<string, string>>, 'errors'> & {
  validateField: (field: never) => unknown;
};

/** What is wrong is said at the field in words; when the language changes meanwhile, each such field is judged anew. */
export function useErrorsInLanguage(form: Judged): void {
  const { language } = useTranslation().i18n;
  const before = useRef(language);
  useEffect(() => {
    if (before.current === language) return;
    before.current = language;
    for (const field of Object.keys(form.errors)) form.validateField(field as never);
  }, [language, form]);
}
