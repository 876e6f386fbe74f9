import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Filter, OperatorListEndpoint } from '#contract/operator-list.ts';
import type { FilterChip, ListWords, Option } from './list-screen.ts';

/**
 * The texts, filter chips and sorts of a list, from its declaration in the contract and one section of words. A section
 * has `filters` (the label of each chip), `choices` (of each filter with choices whose options are not passed in),
 * `sorts`, and the texts of `ListWords`. A section that lacks a word of the declaration does not compile.
 */

type FiltersOf<E extends OperatorListEndpoint> = E['list']['filters'];
type NamesOf<E extends OperatorListEndpoint> = keyof FiltersOf<E> & string;
/** The sorts of a list, as its columns name them. */
export type SortOf<E extends OperatorListEndpoint> = E['list']['sorts'][number];

/** The chip of a filter. Two filters `minAmount` and `maxAmount` are the ends of the chip `amount`. */
type ChipOf<Name extends string> = Name extends `${'min' | 'max'}${infer Field}`
  ? Uncapitalize<Field>
  : Name extends 'fromDay' | 'toDay'
    ? 'day'
    : Name;

type ChoiceKey<Filters, Name> = Name extends keyof Filters & string
  ? Filters[Name] extends { kind: 'choice'; choices: readonly (infer Choice extends string)[] }
    ? `choices.${Name}.${Choice}`
    : never
  : never;

type TextKey =
  | Exclude<keyof ListWords, 'empty' | 'notFound' | 'noName' | 'failed' | 'sheet'>
  | `${'empty' | 'notFound' | 'failed'}.${'title' | 'text'}`
  | `sheet.${keyof ListWords['sheet']}`;

/** `Given` are the filters whose options are passed in. */
type KeyOf<E extends OperatorListEndpoint, Given> =
  | TextKey
  | `filters.${ChipOf<NamesOf<E>>}`
  | ChoiceKey<FiltersOf<E>, Exclude<NamesOf<E>, Given>>
  | `sorts.${'' | '-'}${SortOf<E>}`;

/** Nothing if the section has every word of the list, else the missing keys, for the compiler's message. */
type Missing<E extends OperatorListEndpoint, Section extends string, Given> = [
  Exclude<`${Section}.${KeyOf<E, Given>}`, ParseKeys>,
] extends [never]
  ? unknown
  : { missing: Exclude<`${Section}.${KeyOf<E, Given>}`, ParseKeys> };

/**
 * The options of each filter by an id or a member, which the server has; undefined until they were read. Also those of
 * a filter with choices whose words are elsewhere.
 */
type IdOptions<E extends OperatorListEndpoint> = {
  [Name in NamesOf<E> as FiltersOf<E>[Name] extends { kind: 'id' | 'member' } ? Name : never]:
    | readonly Option[]
    | undefined;
};

/** The searched fields that are the name of the member to whom a row belongs. */
const memberNames: readonly string[] = ['userName', 'userFirstName'];

const hours = ['24', '48', '72', '168'] as const;

/** The two filters of a range of points or days; undefined for a filter of another kind. */
function rangeOf(name: string, { kind }: Filter) {
  if (kind === 'day') return { kind: 'days', chip: 'day', from: 'fromDay', to: 'toDay' } as const;
  const [, field] = /^(?:min|max)(.+)$/.exec(name) ?? [];
  if (kind !== 'points' || field === undefined) return undefined;
  const chip = field.charAt(0).toLowerCase() + field.slice(1);
  return { kind: 'points', chip, from: `min${field}`, to: `max${field}` } as const;
}

export function useListWords<
  E extends OperatorListEndpoint,
  const Section extends string,
  Given extends IdOptions<E>,
>(
  { list }: E,
  section: Section & Missing<E, Section, keyof Given>,
  options: Given,
): { words: ListWords; filters: FilterChip[]; sorts: Option[] } {
  const { t } = useTranslation();
  // The type of `section` has checked that the keys exist.
  const text = (key: string): string => t(`${section}.${key}` as ParseKeys);
  const titled = (part: string) => ({ title: text(`${part}.title`), text: text(`${part}.text`) });
  const declared = Object.entries(list.filters);
  const ranges = declared.map(([name, filter]) => rangeOf(name, filter));

  const optionsOf = (name: string, filter: Filter): readonly Option[] | undefined => {
    if (name in options) return (options as Record<string, readonly Option[] | undefined>)[name];
    if (filter.kind === 'choice')
      return filter.choices.map((value) => ({ value, label: text(`choices.${name}.${value}`) }));
    if (filter.kind === 'hours') return hours.map((value) => ({ value, label: t(`list.hours.${value}`) }));
    return undefined;
  };
  const filters = declared.flatMap(([name, filter], index): FilterChip[] => {
    const range = ranges[index];
    if (range !== undefined) {
      const { kind, chip, from, to } = range;
      return name === from ? [{ kind, from, to, label: text(`filters.${chip}`) }] : [];
    }
    const label = text(`filters.${name}`);
    if (filter.kind === 'text') return [{ kind: 'text', name, label }];
    return [{ kind: 'choice', name, label, options: optionsOf(name, filter) }];
  });
  // The largest points come first, and the oldest rows.
  const directionsOf = (sort: string) =>
    ranges.some((range) => range?.chip === sort) ? [`-${sort}`, sort] : [sort, `-${sort}`];
  const sorts = list.sorts
    .flatMap(directionsOf)
    .map((value): Option => ({ value, label: text(`sorts.${value}`) }));

  const nameTitle = list.searches.includes('firstName')
    ? { title: t('list.noMember') }
    : list.searches.some((field) => memberNames.includes(field)) && { title: t('list.noName') };

  return {
    words: {
      title: text('title'),
      search: text('search'),
      searchLabel: text('searchLabel'),
      selectPage: text('selectPage'),
      pages: text('pages'),
      empty: titled('empty'),
      notFound: titled('notFound'),
      noName: { ...titled('notFound'), ...nameTitle },
      failed: titled('failed'),
      sheet: {
        title: text('sheet.title'),
        previous: text('sheet.previous'),
        next: text('sheet.next'),
        gone: text('sheet.gone'),
      },
    },
    filters,
    sorts,
  };
}
