import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';

/** The names of accounts, checks and kinds of movements. One that the words do not have is named as the server does. */
export function useBookNames() {
  const { t, i18n } = useTranslation();
  const own = (place: string, name: string) => {
    const key = `books.${place}.${name}`;
    return i18n.exists(key) ? String(t(key as ParseKeys)) : undefined;
  };
  const accountOf = ({ account, name }: { account: string; name: string | null }) =>
    name ?? own('accounts', account) ?? account;
  return {
    accountOf,
    /** A row of the trial balance. An account may have one in two groups. */
    rowOf: (row: { account: string; name: string | null; group: string }) =>
      own('rows', `${row.group}-${row.account}`) ?? accountOf(row),
    checkOf: (check: string) => own('checkNames', check) ?? check,
    kindOf: (kind: string) => own('kinds', kind) ?? kind,
  };
}
