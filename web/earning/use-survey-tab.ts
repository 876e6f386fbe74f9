import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openOfferwall, readCpxUrl } from '#contract/earning.ts';
import { type ApiError, call, isApiError } from '#web/client/call.ts';
import { endSession, useMember } from '#web/client/session.ts';
import { refreshAfter } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

type SurveyTab =
  | { state: 'ready' | 'opening' | 'opened' }
  /** The browser blocked the new tab, so the member presses a link instead. */
  | { state: 'blocked'; url: string }
  | { state: 'failed'; error: ApiError };

/**
 * Opens CPX Research in a new tab. The tab opens during the press, because browsers block tabs that open later, and
 * gets its URL when the server has answered. It has no `opener`.
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
      if (opened === null) return setTab({ state: 'blocked', url });
      opened.location.replace(url);
      setTab({ state: 'opened' });
    } catch (error) {
      opened?.close();
      if (!isApiError(error)) throw error;
      setTab({ state: 'failed', error });
      if (error.code !== 'unauthenticated') return;
      // The session ended elsewhere. The login view replaces the page, and the toast gives the reason.
      toast.bad(t('cpxSurveys.loginRequired'));
      endSession(client);
    }
  };
  return { tab, open };
}
