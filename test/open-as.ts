import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openPage } from './browser.ts';
import type { Person, Site } from './site.ts';

/** A page with a member's session cookies. */
export async function openAs(
  browser: Browser,
  { origin }: Pick<Site, 'origin'>,
  person: Person,
  path: string,
  options: BrowserContextOptions = {},
): ReturnType<typeof openPage> {
  const opened = await openPage(browser, { reducedMotion: 'reduce', ...options });
  const [name = '', value = ''] = person.cookie.split('=');
  await opened.context.addCookies([
    { name, value, url: origin, httpOnly: true },
    { name: 'signedin', value: '1', url: origin },
  ]);
  await opened.page.goto(origin + path);
  return opened;
}
