import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openPage } from './browser.ts';
import type { Person, Site } from './site.ts';

/** The cookies of a browser in which a person is signed in. */
export function sessionCookies({ cookie }: Person, url: string) {
  const [name = '', value = ''] = cookie.split('=');
  return [
    { name, value, url, httpOnly: true },
    { name: 'signedin', value: '1', url },
  ];
}

/** A page with a member's session cookies. */
export async function openAs(
  browser: Browser,
  { origin }: Pick<Site, 'origin'>,
  person: Person,
  path: string,
  options: BrowserContextOptions = {},
): ReturnType<typeof openPage> {
  const opened = await openPage(browser, { reducedMotion: 'reduce', ...options });
  await opened.context.addCookies(sessionCookies(person, origin));
  await opened.page.goto(origin + path);
  return opened;
}
