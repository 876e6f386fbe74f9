import type { AnalyticsEvent } from './events.ts';

/**
 * The one place that knows the vendor: a gtag-compatible script that is loaded from there, and only after a yes. It is
 * told no name, no address, no member id and nothing that stands behind the path of a page; advertising is off.
 */
type Gtag = (...words: unknown[]) => void;
type Counted = Window & { dataLayer?: unknown[] };

const VENDOR = 'https://www.googletagmanager.com/gtag/js';

/** The page without what stands behind its path: codes and tokens are in there. */
const pageLocation = () => window.location.origin + window.location.pathname;

function pageReferrer(): string {
  if (document.referrer === '') return '';
  const { origin, pathname } = new URL(document.referrer);
  return origin + pathname;
}

/** Loads the vendor's script and answers with what sends an event. Call it once. */
export function startCollector(measurementId: string): (event: AnalyticsEvent) => void {
  const counted = window as Counted;
  const layer = counted.dataLayer ?? [];
  counted.dataLayer = layer;
  const gtag: Gtag = function push() {
    // biome-ignore lint/complexity/noArguments: the script tells commands from other entries by this very object.
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
