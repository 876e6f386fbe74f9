import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '#contract/members.ts';
import { isApiError } from '#web/client/call.ts';
import { useSaveSettings } from '#web/client/display-settings.ts';
import { chooseLanguage } from '#web/client/language.ts';
import { toast } from '#web/ui/toast.tsx';

/** Saves each change at once. The chosen value shows immediately; the saved one shows again if saving fails. */
export function usePreferences() {
  const { t, i18n } = useTranslation();
  const save = useSaveSettings();
  const [waiting, setWaiting] = useState<Partial<Settings>>({});
  const change = async (chosen: Partial<Settings>) => {
    setWaiting((before) => ({ ...before, ...chosen }));
    try {
      await save(chosen);
      if (chosen.language !== undefined) await chooseLanguage(chosen.language, 'member');
      // `i18n.t` translates to the language chosen above; `t` still has the old one.
      toast.ok(i18n.t('settings.messages.saved'));
    } catch (error) {
      if (!isApiError(error)) throw error;
      toast.bad(t(`refusals.${error.code}`), t('common.settingsFailed'));
    } finally {
      setWaiting({});
    }
  };
  return { waiting, change: (chosen: Partial<Settings>) => void change(chosen) };
}
