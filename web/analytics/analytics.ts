import type { Endpoint } from '#contract/endpoint.ts';
import type { HistoryEntry } from '#contract/ledger.ts';
import { startCollector } from './collector.ts';
import { countedSince, SEEN_KEY, writeConsent } from './consent.ts';
import { newlyEarned } from './earned.ts';
import type { AnalyticsEvent } from './events.ts';
import { cameBackFromGoogle } from './google.ts';

/**
 * Counts what members do, if the site has a measurement id and the reader has agreed. It listens to successful calls,
 * so that screens don't depend on it.
 */
export type SuccessfulCall = { endpoint: Endpoint; body: unknown; params: unknown; reply: unknown };

/** The event of a successful call. Earned points are found by reading the history. */
export function eventsOf({ endpoint, body, params, reply }: SuccessfulCall): AnalyticsEvent[] {
  const sent = (body ?? {}) as Record<string, unknown>;
  switch (`${endpoint.method} ${endpoint.path}`) {
    case 'POST /api/auth/register':
      return [{ name: 'sign_up', method: 'email' }, ...(sent.referralCode ? [referralUsed] : [])];
    case 'POST /api/auth/login':
      // With two-factor authentication the next call completes the sign-in.
      return (reply as { twoFactorRequired?: boolean }).twoFactorRequired ? [] : [signedIn];
    case 'POST /api/auth/two-factor':
      return [signedIn];
    case 'POST /api/withdrawal':
      return [{ name: 'withdrawal_request', method: String(sent.method), points: Number(sent.amountPoints) }];
    case 'POST /api/offerwalls/:id/open':
      return [{ name: 'offerwall_click', provider: (params as { id: string }).id }];
    case 'GET /api/user/history':
      return takeEarned((reply as { data: HistoryEntry[] }).data);
    default:
      return [];
  }
}

const signedIn: AnalyticsEvent = { name: 'login', method: 'email' };
const referralUsed: AnalyticsEvent = { name: 'referral_used' };

function takeEarned(rows: readonly HistoryEntry[]): AnalyticsEvent[] {
  const since = countedSince();
  if (since === null) return [];
  const kept: unknown = JSON.parse(localStorage.getItem(SEEN_KEY) ?? '[]');
  const { events, remembered } = newlyEarned(rows, Array.isArray(kept) ? kept.map(String) : [], since);
  if (events.length > 0) localStorage.setItem(SEEN_KEY, JSON.stringify(remembered));
  return events;
}

export type Analytics = { viewed(): void; called(call: SuccessfulCall): void };

/** Starts counting. Call it once, after the reader has agreed. */
export function startAnalytics(measurementId: string): Analytics {
  // If the consent has no start time, counting starts now.
  if (countedSince() === null) writeConsent('granted');
  const record = startCollector(measurementId);
  if (cameBackFromGoogle()) record({ name: 'login', method: 'google' });
  return {
    viewed: () => record({ name: 'page_view' }),
    called: (call) => {
      for (const event of eventsOf(call)) record(event);
    },
  };
}
