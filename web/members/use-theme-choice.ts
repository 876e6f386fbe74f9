import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ChatTheme, CUSTOM_THEME, changeChatTheme, chatColor, chatPresets } from '#contract/members.ts';
import type { User } from '#contract/user.ts';
import { userQuery } from '#web/client/session.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

const CLOSED_AFTER_MS = 1_500;

export const themeOf = ({ chatTheme, chatBubbleColor, chatTextColor }: User): ChatTheme => ({
  chatTheme: chatPresets.some(({ id }) => id === chatTheme)
    ? (chatTheme as ChatTheme['chatTheme'])
    : CUSTOM_THEME,
  chatBubbleColor,
  chatTextColor,
});

export type ColorName = 'chatBubbleColor' | 'chatTextColor';

/** The theme being chosen. A preset sets both colours; a changed colour makes the theme custom. */
export function useThemeChoice(member: User, onClose: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const saving = useAct(changeChatTheme);
  const [theme, setTheme] = useState(() => themeOf(member));
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(closing.current), []);

  return {
    theme,
    isWhole:
      chatColor.safeParse(theme.chatBubbleColor).success && chatColor.safeParse(theme.chatTextColor).success,
    choosePreset: (preset: (typeof chatPresets)[number]) =>
      setTheme({
        chatTheme: preset.id,
        chatBubbleColor: preset.bubbleColor,
        chatTextColor: preset.textColor,
      }),
    chooseColor: (name: ColorName, color: string) =>
      setTheme((before) => ({ ...before, chatTheme: CUSTOM_THEME, [name]: color })),
    save: () =>
      saving.mutate(
        { body: theme },
        {
          onSuccess: (user) => {
            client.setQueryData(userQuery.queryKey, user);
            closing.current = setTimeout(onClose, CLOSED_AFTER_MS);
          },
          onError: () => toast.bad(t('chatTheme.failedText'), t('chatTheme.failed')),
        },
      ),
    isSaving: saving.isPending,
    isSaved: saving.isSuccess,
    error: saving.error,
  };
}
