import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import { changeSite, type readSite } from '#contract/site.ts';
import { changedPart, useDraft } from '#web/admin/kit/use-draft.ts';
import { formatPoints } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { wholeOf } from './fields.tsx';
import { useOutcome } from './use-outcome.ts';

/** The form of the site's settings. */

type Site = ReplyOf<typeof readSite>;
export const capNames = ['memberDay', 'methodDay', 'secondPersonFrom'] as const;
export const boundNames = ['differencePercent', 'jumpPercent'] as const;

const pointsText = (points: string | null) => (points === null ? '' : formatPoints(points));

const draftOf = ({ caps, rateBounds, switches, ...site }: Site) => ({
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
type Draft = ReturnType<typeof draftOf>;
export type FieldName = keyof Draft;

/** Empty means none. A text that is no number becomes one that the server refuses, at its field. */
const numberOr = (text: string) => wholeOf(text) ?? -1;
const optional = (text: string) => (text.trim() === '' ? null : numberOr(text));
const cap = (text: string) => (text.trim() === '' ? null : String(numberOr(text)));

/** The settings of a draft, in the groups of the contract. */
const groupsOf = (draft: Draft) => ({
  whole: {
    processingTime: draft.processingTime,
    payoutDelaySeconds: numberOr(draft.payoutDelaySeconds),
    providerCeilingTimes: optional(draft.providerCeilingTimes),
    postbackDays: numberOr(draft.postbackDays),
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
function changeOf(draft: Draft, former: Draft) {
  const [next, before] = [groupsOf(draft), groupsOf(former)];
  const caps = changedPart(next.caps, before.caps);
  const rateBounds = changedPart(next.rateBounds, before.rateBounds);
  const switches = changedPart(next.switches, before.switches);
  return {
    ...changedPart(next.whole, before.whole),
    ...(caps === undefined ? {} : { caps }),
    ...(rateBounds === undefined ? {} : { rateBounds }),
    ...(switches === undefined ? {} : { switches }),
  };
}

/** Whether something of this change waits for another operator. */
const isWaiting = ({ proposals }: Site, change: Readonly<Record<string, unknown>>): boolean =>
  proposals.some(({ setting }) => {
    const [group = '', field] = setting.split('.');
    const part = change[group];
    return field === undefined
      ? part !== undefined
      : typeof part === 'object' && part !== null && field in part;
  });

export function useSiteForm(site: Site) {
  const { t } = useTranslation();
  const stored = { site, version: JSON.stringify(site) };
  const { draft, former, isChanged, change, take, discard } = useDraft(stored, ({ site: one }) =>
    draftOf(one),
  );
  const { setMessages, fail, begin, failure, messageOf } = useOutcome();
  const saving = useAct(changeSite);
  return {
    draft,
    isChanged,
    failure,
    isSaving: saving.isPending,
    messageOf,
    change: (part: Partial<Draft>) => {
      setMessages({});
      change(part);
    },
    discard,
    submit: (event: React.FormEvent) => {
      event.preventDefault();
      if (saving.isPending || !isChanged) return;
      begin();
      const asked = changeOf(draft, former);
      saving.mutate(
        { body: asked },
        {
          onSuccess: (saved) => {
            take({ site: saved, version: JSON.stringify(saved) });
            if (isWaiting(saved, asked)) toast.plain(t('siteSettings.waits'));
            else toast.ok(t('siteSettings.saved'));
          },
          onError: (error) => fail(error, t('siteSettings.notSaved')),
        },
      );
    },
  };
}

export type Form = ReturnType<typeof useSiteForm>;
