import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import i18next from 'i18next';
import { changeSettings, readDisplayRates, readSettings, type Settings } from '#contract/members.ts';
import { type ApiError, call, isApiError } from './call.ts';
import { type DisplayRate, setDisplay } from './format.ts';
import { areaOf, chooseLanguage } from './language.ts';
import { hasSessionMark, useSiteConfig } from './session.ts';

/**
 * Display settings (language, time zone and currency), fetched with the session, before the first screen, so that the
 * screen does not change after it is shown. If they can't be fetched, the device's own apply.
 */
export type DisplaySettings = { settings: Settings; rate: (DisplayRate & { asOf: string }) | undefined };

/** The rate of the chosen currency. Without a rate, worth is shown in dollars. */
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
      // Suspended, signed out or unreachable. The screen that needs the settings shows the failure.
      if (isApiError(error)) return null;
      throw error;
    }
  },
});

/** Fetches the settings of a signed-in member. `isPending` is false without a session. */
export function useSettingsOnStart(): { isPending: boolean } {
  const isSignedIn = hasSessionMark();
  const { isPending } = useQuery({ ...settingsQuery, enabled: isSignedIn });
  return { isPending: isSignedIn && isPending };
}

/** The current settings, null if they could not be fetched, and a function to fetch them again. */
export function useDisplaySettings() {
  const { data, isFetching, refetch } = useQuery({ ...settingsQuery, enabled: false });
  return { display: data ?? null, isFetching, retry: () => void refetch() };
}

/**
 * Applies the zone of times, and the currency of worth: in the members' area as the member chose. Operators see the
 * site's zone, in which its days, caps and promises end, and dollars.
 */
export function useDisplay(): void {
  const area = useLocation({ select: ({ pathname }) => areaOf(pathname) });
  const { display } = useDisplaySettings();
  const siteTimezone = useSiteConfig().data?.siteTimezone;
  if (area === 'member') setDisplay({ timeZone: display?.settings.timezone, rate: display?.rate });
  else setDisplay({ timeZone: siteTimezone, rate: undefined });
}

/** Saves a change of settings, then updates the cached ones. The promise rejects with an `ApiError`. */
export function useSaveSettings(): (change: Partial<Settings>) => Promise<void> {
  const client = useQueryClient();
  return async (change) => {
    const settings = await call(changeSettings, { body: change });
    const display: DisplaySettings = { settings, rate: await readRate(settings.currency) };
    client.setQueryData(settingsQuery.queryKey, display);
  };
}
