import { BRAND_NAME_MAX } from '#contract/brand.ts';
import { failedPairs } from '#contract/brand-colors.ts';
import { type Scheme, schemes } from '#contract/brand-styles.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readSite } from '#contract/site.ts';
import { changedPart } from '#web/admin/kit/use-draft.ts';
import { formatPoints } from '#web/client/format.ts';
import { wholeOf } from './fields.tsx';

/** What an operator edits of the site's settings: all as text, and a logo as its name or as a new file. */

export type Site = ReplyOf<typeof readSite>;
export const capNames = ['memberDay', 'methodDay', 'secondPersonFrom'] as const;
export const boundNames = ['differencePercent', 'jumpPercent'] as const;
export const NAME_MAX = BRAND_NAME_MAX;

const pointsText = (points: string | null) => (points === null ? '' : formatPoints(points));

export const draftOf = ({ brand, caps, rateBounds, switches, ...site }: Site) => ({
  name: brand.name,
  supportEmail: brand.supportEmail ?? '',
  /** Empty is the mark of the site. A new file is a `data:` URL. */
  logo: brand.logo ?? '',
  lightColor: brand.lightColor ?? '',
  darkColor: brand.darkColor ?? '',
  bonusSchedule: site.bonusSchedule.map(formatPoints),
  processingTime: site.processingTime,
  payoutDelaySeconds: String(site.payoutDelaySeconds),
  providerCeilingTimes: String(site.providerCeilingTimes ?? ''),
  postbackDays: String(site.postbackDays),
  memberDay: pointsText(caps.memberDay),
  methodDay: pointsText(caps.methodDay),
  secondPersonFrom: pointsText(caps.secondPersonFrom),
  differencePercent: String(rateBounds.differencePercent),
  jumpPercent: String(rateBounds.jumpPercent),
  addressHold: switches.addressHold,
});
export type Draft = ReturnType<typeof draftOf>;
export type FieldName = keyof Draft;

/** Empty means none. A text that is no number becomes one that the server refuses, at its field. */
const numberOr = (text: string) => wholeOf(text) ?? -1;
const optional = (text: string) => (text.trim() === '' ? null : numberOr(text));
const cap = (text: string) => (text.trim() === '' ? null : String(numberOr(text)));
const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

export const isNewFile = (logo: string): boolean => logo.startsWith('data:');

/** The settings of a draft, in the groups of the contract. */
const groupsOf = (draft: Draft) => ({
  whole: {
    processingTime: draft.processingTime,
    bonusSchedule: draft.bonusSchedule.map((text) => String(numberOr(text))),
    payoutDelaySeconds: numberOr(draft.payoutDelaySeconds),
    providerCeilingTimes: optional(draft.providerCeilingTimes),
    postbackDays: numberOr(draft.postbackDays),
  },
  brand: {
    name: draft.name,
    supportEmail: orNull(draft.supportEmail),
    logo: isNewFile(draft.logo) ? draft.logo.replace(/^[^,]*,/, '') : orNull(draft.logo),
    lightColor: orNull(draft.lightColor),
    darkColor: orNull(draft.darkColor),
  },
  caps: {
    memberDay: cap(draft.memberDay),
    methodDay: cap(draft.methodDay),
    secondPersonFrom: cap(draft.secondPersonFrom),
  },
  rateBounds: {
    differencePercent: numberOr(draft.differencePercent),
    jumpPercent: numberOr(draft.jumpPercent),
  },
  switches: { addressHold: draft.addressHold },
});

/** Only what was changed, so that another operator's change of something else stays. */
export function changeOf(draft: Draft, former: Draft) {
  const [next, before] = [groupsOf(draft), groupsOf(former)];
  const brand = changedPart(next.brand, before.brand);
  const caps = changedPart(next.caps, before.caps);
  const rateBounds = changedPart(next.rateBounds, before.rateBounds);
  const switches = changedPart(next.switches, before.switches);
  return {
    ...changedPart(next.whole, before.whole),
    ...(brand === undefined ? {} : { brand }),
    ...(caps === undefined ? {} : { caps }),
    ...(rateBounds === undefined ? {} : { rateBounds }),
    ...(switches === undefined ? {} : { switches }),
  };
}

/** Whether something of this change waits for another operator. */
export const isWaiting = ({ proposals }: Site, change: Readonly<Record<string, unknown>>): boolean =>
  proposals.some(({ setting }) => {
    const [group = '', field] = setting.split('.');
    const part = change[group];
    return field === undefined
      ? part !== undefined
      : typeof part === 'object' && part !== null && field in part;
  });

/** A change that the form lists before it is saved. `day` is for a day of the bonus. */
export type ListedChange = { field: FieldName; day?: number; from: string; to: string };

const textOf = (value: string | boolean | undefined): string =>
  typeof value === 'boolean' ? String(value) : (value ?? '');

/** What a draft changes, one line a field, and one a day of the bonus. */
export function changesOf(draft: Draft, former: Draft): ListedChange[] {
  return (Object.keys(draft) as FieldName[]).flatMap((field): ListedChange[] => {
    const [to, from] = [draft[field], former[field]];
    if (!Array.isArray(to) || !Array.isArray(from))
      return to === from ? [] : [{ field, from: textOf(from as string), to: textOf(to as string) }];
    return Array.from({ length: Math.max(to.length, from.length) }, (_, index) => index).flatMap((index) =>
      to[index] === from[index]
        ? []
        : [{ field, day: index + 1, from: textOf(from[index]), to: textOf(to[index]) }],
    );
  });
}

/** A colour that is typed as a whole; null for an empty or unfinished one. */
export const colorIn = (text: string): string | null =>
  /^#[0-9A-Fa-f]{6}$/.test(text.trim()) ? text.trim().toUpperCase() : null;

export const colorFields = { light: 'lightColor', dark: 'darkColor' } as const;

/** The schemes whose colour can't be read. */
export const unreadableSchemes = (draft: Pick<Draft, 'lightColor' | 'darkColor'>): Scheme[] =>
  schemes.filter((scheme) => {
    const color = colorIn(draft[colorFields[scheme]]);
    return color !== null && failedPairs(scheme, color).length > 0;
  });
