import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { publishAnnouncement } from '#contract/announcements.ts';
import { showField } from '#web/admin/kit/show-field.ts';
import { fieldTimeOf, instantOf } from '#web/admin/kit/zoned-time.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatTime } from '#web/client/format.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

/** The form of a new announcement. */

export type AnnouncementDraft = {
  title: string;
  content: string;
  titleKo: string;
  contentKo: string;
  isScheduled: boolean;
  /** As their fields have them, in the site's zone. */
  day: string;
  time: string;
  changesTerms: boolean;
  effectiveOn: string;
  isImportant: boolean;
};

/** The fields that can be wrong, by the server's path. */
const fields = {
  title: 'title',
  content: 'content',
  titleKo: 'titleKo',
  contentKo: 'contentKo',
  publishAt: 'time',
  'termsChange.effectiveOn': 'effectiveOn',
} as const;
export type FieldName = (typeof fields)[keyof typeof fields];
type FaultKey = 'title' | 'content' | 'tooLong' | 'time' | 'effectiveOn' | 'effectiveOnImportant';
type Faults = Partial<Record<FieldName, FaultKey>>;

const DAY_MS = 24 * 3_600_000;

/** Tomorrow morning, if the operator chooses a time. */
const blankDraft = (timeZone: string | undefined): AnnouncementDraft => ({
  title: '',
  content: '',
  titleKo: '',
  contentKo: '',
  isScheduled: false,
  day: fieldTimeOf(new Date(Date.now() + DAY_MS).toISOString(), timeZone).slice(0, 10),
  time: '09:00',
  changesTerms: false,
  effectiveOn: '',
  isImportant: false,
});

const publishAtOf = ({ day, time }: AnnouncementDraft, timeZone: string | undefined): string | null =>
  instantOf(`${day}T${time}`, timeZone);

/** What is missing before the server is asked. */
const missingIn = (draft: AnnouncementDraft, timeZone: string | undefined): Faults => ({
  ...(draft.title.trim() === '' && { title: 'title' }),
  ...(draft.content.trim() === '' && { content: 'content' }),
  ...(draft.isScheduled && publishAtOf(draft, timeZone) === null && { time: 'time' }),
  ...(draft.changesTerms && draft.effectiveOn === '' && { effectiveOn: termsFault(draft) }),
});

const termsFault = ({ isImportant }: AnnouncementDraft): FaultKey =>
  isImportant ? 'effectiveOnImportant' : 'effectiveOn';

/** What the server found, as sentences of the form. */
function faultsOf({ problem }: ApiError, draft: AnnouncementDraft): Faults {
  const found: Faults = {};
  for (const { path } of problem?.errors ?? []) {
    const name = fields[path as keyof typeof fields];
    if (name === undefined) continue;
    found[name] = name === 'time' ? 'time' : name === 'effectiveOn' ? termsFault(draft) : 'tooLong';
  }
  return found;
}

export function useAnnouncementForm(onDone: () => void) {
  const { t, i18n } = useTranslation();
  const timeZone = useSiteConfig().data?.siteTimezone;
  const publishing = useAct(publishAnnouncement);
  const [draft, setDraft] = useState(() => blankDraft(timeZone));
  const [faults, setFaults] = useState<Faults>({});
  const ref = useRef<HTMLFormElement>(null);
  // The first wrong field gets the focus when its error is rendered.
  useEffect(() => {
    if (Object.keys(faults).length > 0)
      showField(ref.current?.querySelector('[aria-invalid="true"]') ?? null);
  }, [faults]);

  const send = () => {
    const { title, content, titleKo, contentKo, isScheduled, changesTerms, effectiveOn, isImportant } = draft;
    const body = {
      title,
      content,
      titleKo,
      contentKo,
      publishAt: isScheduled ? publishAtOf(draft, timeZone) : null,
      termsChange: changesTerms ? { effectiveOn, isImportant } : null,
    };
    publishing.mutate(
      { body },
      {
        onSuccess: ({ state, createdAt, ...saved }) => {
          toast.ok(
            state === 'scheduled'
              ? t('announcementList.done.scheduled', {
                  title: saved.title,
                  time: formatTime(createdAt, i18n.language),
                })
              : t('announcementList.done.published', { title: saved.title }),
          );
          onDone();
        },
        onError: (error) => {
          const found = faultsOf(error, draft);
          setFaults(found);
          if (Object.keys(found).length === 0)
            toast.bad(t('announcementList.fail.again'), t('announcementList.fail.publish'));
        },
      },
    );
  };
  return {
    ref,
    draft,
    timeZone,
    isSaving: publishing.isPending,
    messageOf: (name: FieldName): string | undefined => {
      const fault = faults[name];
      return fault === undefined ? undefined : t(`announcementList.errors.${fault}`);
    },
    change: (part: Partial<AnnouncementDraft>) => {
      setFaults({});
      setDraft({ ...draft, ...part });
    },
    submit: (event: React.FormEvent) => {
      event.preventDefault();
      if (publishing.isPending) return;
      const missing = missingIn(draft, timeZone);
      setFaults(missing);
      if (Object.keys(missing).length === 0) send();
    },
  };
}
export type AnnouncementForm = ReturnType<typeof useAnnouncementForm>;
