import { existsSync } from 'node:fs';

/**
 * The Chromium of the tests: the one that is named, else the system's. The one without windows is taken first: it does
 * the same for the pages at three quarters of the work.
 */
const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Where it is, or the last place that was looked at where there is none. */
export const chromiumPath: string =
  process.env.CHROMIUM_PATH ?? places.find((place) => existsSync(place)) ?? '/usr/bin/chromium';
