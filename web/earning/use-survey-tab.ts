import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openOfferwall, readCpxUrl } from '#contract/earning.ts';
import { type ApiError, call, isApiError } from '#web/client/call.ts';
import { useMember, userQuery } from '#web/client/session.ts';
import { refreshAfter } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

type SurveyTab =
  | { state: 'ready' | 'opening' | 'opened' }
  /** The browser allowed no new tab, so the person presses once more. */
  | { state: 'kept-closed'; url: string }
  | { state: 'failed'; error: ApiError };

/**
 * Opens CPX Research in a tab of its own. The tab is opened by the press itself, because browsers close what opens
 * later; it learns its address when that is there, and never who opened it.
 */
export function useSurveyTab() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id: userId } = useMember();
  const [tab, setTab] = useState<SurveyTab>({ state: 'ready' });

  const open = async () => {
    setTab({ state: 'opening' });
    const opened = window.open('about:blank', '_blank');
    if (opened !== null) opened.opener = null;
    try {
      const { url } = await call(readCpxUrl, { query: { userId } });
      await call(openOfferwall, { params: { id: 'cpx' } });
      void refreshAfter(client, openOfferwall);
      if (opened === null) return setTab({ state: 'kept-closed', url });
      opened.location.replace(url);
      setTab({ state: 'opened' });
    } catch (error) {
      opened?.close();
      if (!isApiError(error)) throw error;
      setTab({ state: 'failed', error });
      if (error.code !== 'unauthenticated') return;
      // The session ended elsewhere: the login view takes the page's place, and the alert says why.
      toast.bad(t('cpxSurveys.loginRequired'));
      client.setQueryData(userQuery.queryKey, null);
    }
  };
  return { tab, open };
}
