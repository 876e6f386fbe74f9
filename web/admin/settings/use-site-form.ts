import { useTranslation } from 'react-i18next';
import { changeSite } from '#contract/site.ts';
import { useDraft } from '#web/admin/kit/use-draft.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import {
  changeOf,
  changesOf,
  type Draft,
  draftOf,
  isWaiting,
  type Site,
  unreadableSchemes,
} from './site-draft.ts';
import { useOutcome } from './use-outcome.ts';

/** The form of the site's settings. */
export function useSiteForm(site: Site) {
  const { t } = useTranslation();
  const stored = { site, version: JSON.stringify(site) };
  const { draft, former, isChanged, change, take, discard } = useDraft(stored, ({ site: one }) =>
    draftOf(one),
  );
  const { ref, setMessages, fail, begin, failure, messageOf } = useOutcome();
  const saving = useAct(changeSite);
  const isReadable = unreadableSchemes(draft).length === 0;
  return {
    ref,
    draft,
    isReadable,
    changes: changesOf(draft, former),
    canSave: isChanged && isReadable,
    isChanged,
    failure,
    isSaving: saving.isPending,
    messageOf,
    change: (part: Partial<Draft>) => {
      setMessages({});
      change(part);
    },
    discard: () => {
      begin();
      discard();
    },
    submit: (event: React.FormEvent) => {
      event.preventDefault();
      if (saving.isPending || !isChanged || !isReadable) return;
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
