import { useMantineColorScheme } from '@mantine/core';
import {
  IconClipboardCheck,
  IconHome,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconPlayerPause,
  IconPlayerPlay,
  IconSun,
} from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { startAudit } from '#contract/ledger-books.ts';
import { readSite } from '#contract/site.ts';
import { languageNames } from '#web/client/languages.ts';
import { useLogout } from '#web/client/session.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { useLanguageChoice } from '#web/ui/use-language-choice.ts';
import type { Item } from './items.ts';

type Asking = { onKeys: () => void; onPause: () => void };

/** What an operator can do from anywhere. An act that stops or starts money asks first. */
export function useCommands({ onKeys, onPause }: Asking): Item[] {
  const { t } = useTranslation();
  const router = useRouter();
  const logout = useLogout();
  const audit = useAct(startAudit);
  const arePaused = useRead(readSite, undefined, { staleTime: 0 }).data?.payoutsPaused;
  const { other, choose } = useLanguageChoice();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = document.documentElement.dataset.mantineColorScheme === 'dark';
  const startAuditNow = () =>
    audit.mutate(
      {},
      {
        onSuccess: () => {
          toast.ok(t('palette.do.auditStarted'));
          router.history.push('/management-panel-x7k9w/books');
        },
        onError: (error) => toast.bad(t(`refusals.${error.code}`), t('palette.do.auditFailed')),
      },
    );
  return [
    {
      key: 'audit',
      icon: IconClipboardCheck,
      title: t('palette.do.audit'),
      note: t('palette.do.auditText'),
      run: startAuditNow,
    },
    // Until it is known whether they are stopped, neither is offered.
    ...(arePaused === undefined
      ? []
      : [
          {
            key: 'pause',
            icon: arePaused ? IconPlayerPlay : IconPlayerPause,
            title: t(arePaused ? 'palette.do.resume' : 'palette.do.pause'),
            note: t(arePaused ? 'palette.do.resumeText' : 'palette.do.pauseText'),
            warning: t('palette.asksFirst'),
            run: onPause,
          },
        ]),
    { key: 'keys', icon: IconKeyboard, title: t('palette.do.keys'), caps: ['?'], run: onKeys },
    {
      key: 'language',
      icon: IconLanguage,
      title: t('palette.do.language', { language: languageNames[other] }),
      run: () => choose(other),
    },
    {
      key: 'scheme',
      icon: isDark ? IconSun : IconMoon,
      title: t(isDark ? 'palette.do.light' : 'palette.do.dark'),
      run: () => setColorScheme(isDark ? 'light' : 'dark'),
    },
    {
      key: 'memberSite',
      icon: IconHome,
      title: t('palette.do.memberSite'),
      link: '/',
      run: () => window.location.assign('/'),
    },
    { key: 'logout', icon: IconLogout, title: t('palette.do.logout'), run: () => void logout() },
  ];
}
