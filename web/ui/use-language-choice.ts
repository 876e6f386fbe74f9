import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isApiError } from '#web/client/call.ts';
import { useSaveSettings } from '#web/client/display-settings.ts';
import { areaOf, chooseLanguage } from '#web/client/language.ts';
import type { Language } from '#web/client/languages.ts';
import { hasSessionMark } from '#web/client/session.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { toast } from './toast.tsx';

/** The other language and a function to choose it. A signed-in member's choice is saved for every device. */
export function useLanguageChoice(): { other: Language; choose: (language: Language) => void } {
  const { t } = useTranslation();
  const area = useLocation({ select: ({ pathname }) => areaOf(pathname) });
  const language = useLanguage();
  const save = useSaveSettings();
  const choose = (chosen: Language) => {
    void chooseLanguage(chosen, area);
    if (area !== 'member' || !hasSessionMark()) return;
    save({ language: chosen }).catch((error: unknown) => {
      if (!isApiError(error)) throw error;
      toast.bad(t(`refusals.${error.code}`), t('common.settingsFailed'));
    });
  };
  return { other: language === 'en' ? 'ko' : 'en', choose };
}
