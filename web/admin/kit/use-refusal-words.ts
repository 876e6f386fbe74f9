import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { FailureCode } from '#web/client/call.ts';

/** The sentence of a refusal for operators. It is another one where the members' speaks of their own account. */
export function useRefusalWords(): (code: FailureCode) => string {
  const { t, i18n } = useTranslation();
  return (code) => {
    const own = `operatorRefusals.${code}`;
    return i18n.exists(own) ? t(own as ParseKeys) : t(`refusals.${code}`);
  };
}
