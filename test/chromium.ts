import { existsSync } from 'node:fs';

/**
 * The Chromium of the tests: the named one, else the system's. The headless shell is preferred, because it needs a
 * quarter less processor time.
 */
const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Its path, or the last path tried if none was found. */
export const chromiumPath: string =
  process.env.CHROMIUM_PATH ?? places.find((place) => existsSync(place)) ?? '/usr/bin/chromium';
