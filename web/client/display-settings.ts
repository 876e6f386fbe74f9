import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import i18next from 'i18next';
import { changeSettings, readDisplayRates, readSettings, type Settings } from '#contract/members.ts';
import { type ApiError, call, isApiError } from './call.ts';
import { type DisplayRate, setDisplay } from './format.ts';
import { areaOf, chooseLanguage } from './language.ts';
import { hasSessionMark } from './session.ts';

/**
 * How the member wants the site to speak to them: fetched beside the session, before the first screen is drawn, so that
 * nothing changes its language or its times before one's eyes. Where they can't be had, the device's own hold.
 */
export type DisplaySettings = { settings: Settings; rate: (DisplayRate & { asOf: string }) | undefined };

/** The rate of the chosen currency. Without one, worth is shown in dollars. */
async function readRate(currency: Settings['currency']): Promise<DisplaySettings['rate']> {
  if (currency === 'USD') return undefined;
  try {
    const rates = await call(readDisplayRates);
    const found = rates.find((rate) => rate.currency === currency);
    return found && { currency, perUsd: found.perUsd, asOf: found.asOf };
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
}

export const settingsQuery = queryOptions<DisplaySettings | null, ApiError>({
  queryKey: ['settings'],
  queryFn: async () => {
    try {
      const settings = await call(readSettings);
      if (areaOf(window.location.pathname) === 'member' && settings.language !== i18next.language)
        await chooseLanguage(settings.language, 'member');
      return { settings, rate: await readRate(settings.currency) };
    } catch (error) {
      // Suspended, signed out or unreachable: the screen that needs them says so.
      if (isApiError(error)) return null;
      throw error;
    }
  },
});

/** Fetches the settings of whoever has a session; `isPending` while there is one and they are on their way. */
export function useSettingsOnStart(): { isPending: boolean } {
  const isSignedIn = hasSessionMark();
  const { isPending } = useQuery({ ...settingsQuery, enabled: isSignedIn });
  return { isPending: isSignedIn && isPending };
}

/** The settings in force, null where they could not be had, and the way to ask again. */
export function useDisplaySettings() {
  const { data, isFetching, refetch } = useQuery({ ...settingsQuery, enabled: false });
  return { display: data ?? null, isFetching, retry: () => void refetch() };
}

/** Lets times and worth follow the settings in the members' area; operators read their device's zone and dollars. */
export function useDisplay(): void {
  const area = useLocation({ select: ({ pathname }) => areaOf(pathname) });
  const { display } = useDisplaySettings();
  const chosen = area === 'member' ? display : null;
  setDisplay({ timeZone: chosen?.settings.timezone, rate: chosen?.rate });
}

/** Stores a change of settings; what is shown follows once it is stored. The promise fails with an `ApiError`. */
export function useSaveSettings(): (change: Partial<Settings>) => Promise<void> {
  const client = useQueryClient();
  return async (change) => {
    const settings = await call(changeSettings, { body: change });
    const display: DisplaySettings = { settings, rate: await readRate(settings.currency) };
    client.setQueryData(settingsQuery.queryKey, display);
  };
}
