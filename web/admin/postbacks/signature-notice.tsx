import { Button } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { PostbackStats } from '#contract/earning-postbacks.ts';
import type { ListNotice } from '#web/admin/kit/list-notices.tsx';
import { formatTime } from '#web/client/format.ts';

/** Providers whose newest calls were all refused for their signature, and the likely cause. */
export function useSignatureNotices(
  wrong: PostbackStats['wronglySigned'],
  onShow: (provider: string) => void,
): ListNotice[] {
  const { t, i18n } = useTranslation();
  return wrong.map(({ provider, providerName, count, since, matches }) => ({
    key: provider,
    icon: IconHandStop,
    title: t('postbacks.wrong.title', { name: providerName }),
    content: (close) => (
      <>
        <p>
          {t('postbacks.wrong.text', { count, name: providerName, time: formatTime(since, i18n.language) })}{' '}
          {t(`postbacks.wrong.${matches}`)}
        </p>
        <Button
          variant="default"
          size="sm"
          mt="sm"
          onClick={() => {
            close();
            onShow(provider);
          }}
        >
          {t('postbacks.wrong.show')}
        </Button>
      </>
    ),
  }));
}
