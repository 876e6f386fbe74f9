import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  addEntry,
  type CatalogueEntry,
  categoriesOf,
  changeEntry,
  type entryKinds,
} from '#contract/earning-catalogue-entries.ts';
import { useDraft } from '#web/admin/kit/use-draft.ts';
import { useFocusOnFault } from '#web/admin/kit/use-faults.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import { fieldTimeOf, instantOf } from '#web/admin/kit/zoned-time.ts';
import type { ApiError } from '#web/client/call.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { refreshAfter, useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { faultOfField } from './fault-words.ts';
import { useFaultText } from './use-fault-text.ts';

/** The form of an entry, of a new one or a stored one. */

export type EntryKind = (typeof entryKinds)[number];

/** A chosen picture as base64. */
export type Picture = { type: string; base64: string };

const draftOf = (entry: CatalogueEntry, timeZone: string | undefined) => ({
  kind: entry.kind,
  category: entry.category as string,
  provider: entry.provider,
  title: entry.title,
  titleKo: entry.titleKo ?? '',
  description: entry.description,
  descriptionKo: entry.descriptionKo ?? '',
  reward: entry.steps.length > 0 ? '' : entry.reward,
  minutes: entry.minutes === 0 ? '' : String(entry.minutes),
  url: entry.url,
  isEnabled: entry.isEnabled,
  /** As the field has it, in the site's zone; empty for none. */
  expiresAt: fieldTimeOf(entry.expiresAt, timeZone),
  steps: entry.steps.map(({ title, titleKo, points, days }) => ({
    title,
    titleKo: titleKo ?? '',
    points,
    days: days === null ? '' : String(days),
  })),
  /** Undefined keeps the stored one, null removes it. */
  picture: undefined as Picture | null | undefined,
});
export type EntryDraft = ReturnType<typeof draftOf>;
export type StepDraft = EntryDraft['steps'][number];

/** The digits of a typed number such as `1,000`. */
export const digitsOf = (text: string): string => text.replaceAll(/[,\s]/g, '');

/** A typed whole number. Another text becomes one that the server refuses, and names the field. */
const wholeOf = (text: string): number => (/^\d{1,9}$/.test(digitsOf(text)) ? Number(digitsOf(text)) : -1);

/** The body of the call. The server checks every field and names those that are wrong. */
const bodyOf = (draft: EntryDraft, timeZone: string | undefined) => ({
  kind: draft.kind,
  category: draft.category as CatalogueEntry['category'],
  provider: draft.provider,
  title: draft.title,
  titleKo: draft.titleKo,
  description: draft.description,
  descriptionKo: draft.descriptionKo,
  ...(draft.steps.length > 0 || draft.reward.trim() === '' ? {} : { reward: digitsOf(draft.reward) }),
  minutes: wholeOf(draft.minutes),
  url: draft.url.trim(),
  steps: draft.steps.map(({ title, titleKo, points, days }) => ({
    title,
    titleKo,
    points: digitsOf(points),
    days: days.trim() === '' ? null : wholeOf(days),
  })),
  isEnabled: draft.isEnabled,
  expiresAt: instantOf(draft.expiresAt, timeZone),
  ...(draft.picture === undefined ? {} : { picture: draft.picture?.base64 ?? null }),
});

/** A new entry before anything was typed. */
export const blankEntry = (kind: EntryKind, provider: string): CatalogueEntry => ({
  id: '',
  kind,
  category: categoriesOf[kind][0],
  provider,
  title: '',
  titleKo: null,
  description: '',
  descriptionKo: null,
  reward: '',
  minutes: 0,
  url: '',
  steps: [],
  imageUrl: null,
  isEnabled: true,
  expiresAt: null,
  state: 'shown',
  createdAt: '',
  version: '',
});

export function useEntryForm(stored: CatalogueEntry, onAdded?: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const timeZone = useSiteConfig().data?.siteTimezone;
  const { base, draft, isChanged, change, take, discard } = useDraft(stored, (entry) =>
    draftOf(entry, timeZone),
  );
  const { messages, failure, isStale, begin, fail, forget } = useFaults();
  const adding = useAct(addEntry);
  const changing = useAct(changeEntry);
  const form = useRef<HTMLFormElement>(null);
  const isSaving = adding.isPending || changing.isPending;

  useFocusOnFault(form, messages);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (isSaving) return;
    begin();
    const body = bodyOf(draft, timeZone);
    if (base.id === '')
      adding.mutate(
        { body },
        {
          onSuccess: ({ title }) => {
            toast.ok(t('catalogueEntries.done.added', { title }));
            onAdded?.();
          },
          onError: fail,
        },
      );
    else
      changing.mutate(
        { params: { id: base.id }, body: { ...body, version: base.version } },
        {
          onSuccess: (entry) => {
            take(entry);
            toast.ok(t('catalogueEntries.done.saved', { title: entry.title }));
          },
          onError: fail,
        },
      );
  };
  return {
    ref: form,
    base,
    draft,
    isChanged,
    isSaving,
    isStale,
    failure,
    submit,
    messageOf: (path: string): string | undefined => messages[path],
    change: (part: Partial<EntryDraft>) => {
      forget();
      change(part);
    },
    showStored: () => {
      begin();
      discard();
      void refreshAfter(client, changeEntry);
    },
  };
}

export type EntryForm = ReturnType<typeof useEntryForm>;

/** What the server says of a refused save: at fields, and at the foot. */
function useFaults() {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const faultText = useFaultText();
  const [messages, setMessages] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isStale, setStale] = useState(false);
  return {
    messages,
    failure,
    isStale,
    begin: () => {
      setMessages({});
      setFailure(null);
      setStale(false);
    },
    /** The draft changed. What another operator did meanwhile is still so. */
    forget: () => {
      setMessages({});
      if (!isStale) setFailure(null);
    },
    fail: (error: ApiError) => {
      const faults = (error.problem?.errors ?? []).flatMap(({ path, message }) => {
        const fault = faultOfField(path, message);
        return fault === undefined ? [] : [[path, faultText(fault)] as const];
      });
      const provider = error.code === 'unknown-provider' ? [['provider', refusalWords(error.code)]] : [];
      setMessages(Object.fromEntries([...faults, ...provider]));
      setStale(error.code === 'settings-changed');
      setFailure(`${t('catalogueEntries.notSaved')}. ${refusalWords(error.code)}`);
    },
  };
}
