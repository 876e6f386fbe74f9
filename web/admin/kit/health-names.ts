import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useProviders } from '#web/client/session.ts';
import { useRailWords } from '#web/ui/rails.ts';

/** The kinds of parts whose names end with what they are about: a method, a currency, a provider, another part. */
const kinds = ['sweep', 'lease', 'rail', 'rate', 'ceiling', 'payouts'] as const;

/** The plain names of the parts that health reports. A part without words keeps its name. */
export function useHealthNames(): (part: string) => string {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  const providerOf = useProviders();
  const nameOfPart = (part: string): string => {
    const own = `healthNames.parts.${part}`;
    if (i18n.exists(own)) return t(own as ParseKeys);
    const kind = kinds.find((one) => part.startsWith(`${one}-`));
    if (kind === undefined) return part;
    const about = part.slice(kind.length + 1);
    const subjects = {
      sweep: () => about,
      lease: () => nameOfPart(about),
      ceiling: () => providerOf(about)?.name ?? about,
    };
    const name = kind in subjects ? subjects[kind as keyof typeof subjects]() : nameOf(about);
    return t(`healthNames.kinds.${kind}`, { name });
  };
  return nameOfPart;
}
