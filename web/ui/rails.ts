import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import { readRails } from '#contract/withdrawals.ts';
import { useRead } from '#web/client/use-call.ts';

/** The server's facts about a payment method. */
export type RailFacts = ReplyOf<typeof readRails>[number];

/** The registered payment methods; undefined while they load. They change only with a release. */
export const useRails = () => useRead(readRails, undefined, { staleTime: Number.POSITIVE_INFINITY });

/** The facts of a method; undefined until they are read. */
export const findRail = (rails: readonly RailFacts[] | undefined, method: string): RailFacts | undefined =>
  rails?.find((rail) => rail.method === method);

/** Word keys under which a method may have its own text, beside `other` for every other method. */
type Place = ParseKeys extends infer Key ? (Key extends `${infer Before}.other` ? Before : never) : never;

/** The words for a method: its own texts if the language has them, else the general ones with the method's name. */
export function useRailWords() {
  const { t, i18n } = useTranslation();
  const { data: rails } = useRails();
  const own = (key: string) => (i18n.exists(key) ? t(key as ParseKeys) : undefined);
  const nameOf = (method: string): string =>
    own(`methods.${method}`) ?? findRail(rails, method)?.name ?? method;
  const wordOf = (place: Place, method: string): string =>
    own(`${place}.${method}`) ?? t(`${place}.other` as ParseKeys, { name: nameOf(method) });
  return { nameOf, wordOf };
}
