import type { AnalyticsEvent } from './events.ts';

/**
 * The only module that depends on the vendor. It loads a gtag-compatible script after the reader has agreed. The script
 * gets no name, address, member id, query or fragment. Advertising is off.
 */
type Gtag = (...words: unknown[]) => void;
type Counted = Window & { dataLayer?: unknown[] };

const VENDOR = 'https://www.googletagmanager.com/gtag/js';

/** The URL without query and fragment, which may hold codes and tokens. */
const pageLocation = () => window.location.origin + window.location.pathname;

function pageReferrer(): string {
  if (document.referrer === '') return '';
  const { origin, pathname } = new URL(document.referrer);
  return origin + pathname;
}

/** Loads the vendor's script and returns the function that sends an event. Call it once. */
export function startCollector(measurementId: string): (event: AnalyticsEvent) => void {
  const counted = window as Counted;
  const layer = counted.dataLayer ?? [];
  counted.dataLayer = layer;
  const gtag: Gtag = function push() {
    // biome-ignore lint/complexity/noArguments: the script recognises commands by their `arguments` object.
    layer.push(arguments);
  };
  const no = 'denied';
  gtag('consent', 'default', {
    ad_storage: no,
    ad_user_data: no,
    ad_personalization: no,
    analytics_storage: 'granted',
  });
  gtag('js', new Date());
  gtag('set', { page_location: pageLocation(), page_referrer: pageReferrer() });
  gtag('config', measurementId, {
    send_page_view: false,
    allow_google_signals: false,
    allow_ad_personalization_signals: false,
  });
  const script = document.createElement('script');
  script.async = true;
  script.src = `${VENDOR}?id=${encodeURIComponent(measurementId)}`;
  document.head.append(script);
  return ({ name, ...facts }) => {
    gtag('set', { page_location: pageLocation() });
    gtag('event', name, facts);
  };
}
