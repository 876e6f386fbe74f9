import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { publishAnnouncement } from '#contract/announcements.ts';
import { type Faults, useFaults, useFieldMessages } from '#web/admin/kit/use-faults.ts';
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

/** What is wrong: what is missing before the server is asked, and what the server found. */
function useDraftFaults({ draft, publishAt }: { draft: AnnouncementDraft; publishAt: string | null }) {
  const { t } = useTranslation();
  const messagesOf = useFieldMessages();
  const time = t('announcementList.errors.time');
  const effectiveOn = t(`announcementList.errors.effectiveOn${draft.isImportant ? 'Important' : ''}`);
  return {
    missing: (): Faults<FieldName> => ({
      ...(draft.title.trim() === '' && { title: t('announcementList.errors.title') }),
      ...(draft.content.trim() === '' && { content: t('announcementList.errors.content') }),
      ...(draft.isScheduled && publishAt === null && { time }),
      ...(draft.changesTerms && draft.effectiveOn === '' && { effectiveOn }),
    }),
    found: (error: ApiError): Faults<FieldName> =>
      Object.fromEntries(
        Object.entries(messagesOf(error)).flatMap(([path, message]) => {
          const name = fields[path as keyof typeof fields];
          if (name === undefined) return [];
          return [[name, name === 'time' ? time : name === 'effectiveOn' ? effectiveOn : message]];
        }),
      ),
  };
}

export function useAnnouncementForm(onDone: () => void) {
  const { t, i18n } = useTranslation();
  const timeZone = useSiteConfig().data?.siteTimezone;
  const publishing = useAct(publishAnnouncement);
  const [draft, setDraft] = useState(() => blankDraft(timeZone));
  const { ref, faults, show, clear } = useFaults<FieldName>();
  const publishAt = publishAtOf(draft, timeZone);
  const { missing, found } = useDraftFaults({ draft, publishAt });

  const send = () => {
    const { title, content, titleKo, contentKo, isScheduled, changesTerms, effectiveOn, isImportant } = draft;
    const body = {
      title,
      content,
      titleKo,
      contentKo,
      publishAt: isScheduled ? publishAt : null,
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
          const faultsFound = found(error);
          show(faultsFound);
          if (Object.keys(faultsFound).length === 0)
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
    messageOf: (name: FieldName): string | undefined => faults[name],
    change: (part: Partial<AnnouncementDraft>) => {
      clear();
      setDraft({ ...draft, ...part });
    },
    submit: (event: React.FormEvent) => {
      event.preventDefault();
      if (publishing.isPending) return;
      const faultsFound = missing();
      show(faultsFound);
      if (Object.keys(faultsFound).length === 0) send();
    },
  };
}
export type AnnouncementForm = ReturnType<typeof useAnnouncementForm>;
