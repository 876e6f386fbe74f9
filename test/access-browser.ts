import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { accountKey } from '../server/access/account-key.ts';
import { failedSignInsOfAccount } from '../server/access/limits.ts';
import { hashPassword } from '../server/access/passwords.ts';
import { openBrowser, openPage } from './browser.ts';
import type { OutboxMail } from './mail.ts';
import { sessionCookies } from './open-as.ts';
import type { Person, Site } from './site.ts';
import { type Language, wordAt, wordsOf } from './words.ts';

/** One browser for many people who sign in, and what they see in the language of its page. */
type Lifetime = { after: (callback: () => Promise<void>) => void };

export const PASSWORD = 'a quiet river 7';

export async function accessPage(lifetime: Lifetime, { origin }: Site) {
  const opened = await openPage(await openBrowser(lifetime), { reducedMotion: 'reduce' });
  const { page, context } = opened;
  const words = { en: wordsOf('en'), ko: wordsOf('ko') };
  let language: Language = 'en';
  const t = (key: string, values: Record<string, string> = {}): string => {
    const found = wordAt(words[language], key);
    assert.ok(typeof found === 'string', key);
    return Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), found);
  };
  const field = (key: string) => page.getByLabel(new RegExp(`^${t(key)}`)).first();

  /** Loads a page as `as`, else as nobody, in a browser that has forgotten everybody. */
  const open = async (path: string, { speaks = 'en', as }: { speaks?: Language; as?: Person } = {}) => {
    language = speaks;
    // Until a language is chosen, it is English, as of the browser.
    if (page.url().startsWith(origin))
      await page.evaluate((chosen) => {
        localStorage.clear();
        localStorage.setItem('language', chosen);
      }, speaks);
    // An answer to the screen before would take the cookies of the next person.
    await page.goto('about:blank');
    await context.clearCookies();
    if (as !== undefined) await context.addCookies(sessionCookies(as, origin));
    await page.goto(origin + path);
  };
  return {
    ...opened,
    open,
    t,
    field,
    /** Says that the page has changed its language. */
    speak: (spoken: Language) => {
      language = spoken;
    },
    toast: (title: string, text: string): Locator =>
      page.getByRole('alert').filter({ hasText: title }).filter({ hasText: text }),
    heading: (name: string | RegExp) => page.getByRole('heading', { level: 1, name }),
    press: (key: string, values?: Record<string, string>) =>
      page.getByRole('button', { name: t(key, values), exact: true }).click(),
    captcha: () => page.getByRole('checkbox', { name: t('auth.captcha.box') }),
    fill: async (typed: Record<string, string>) => {
      for (const [key, text] of Object.entries(typed)) await field(key).fill(text);
    },
  };
}

let passwordHash: Promise<string> | undefined;

/** Makes a member with the password. */
export async function somebody(site: Site, options?: Parameters<Site['member']>[0]): Promise<Person> {
  passwordHash ??= hashPassword(PASSWORD);
  const [person, hash] = [await site.member(options), await passwordHash];
  await site.owner.rows(sql`update members.members set password_hash = ${hash} where id = ${person.id}`);
  return person;
}

/** Counts as many failed sign-ins of an account as make its next one ask for the captcha. */
export async function guessAt({ platform }: Site, { email }: Person): Promise<void> {
  for (let failures = 0; failures < 50; failures += 1)
    await platform.limits.count(failedSignInsOfAccount, accountKey(email));
}

const outbox = async (site: Site) => (await site.call('GET', '/sandbox/outbox')).body;

/** The code in the newest message to a phone number. */
export const codeTo = async (site: Site, number: string): Promise<string> =>
  (await outbox(site)).findLast(({ to }: { to: string }) => to === number)?.code ?? '';

/** The newest link to a page in the mails to an address that is not `known`. */
export async function newestLink(site: Site, to: string, path: string, known = ''): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    const mails = ((await outbox(site)) as OutboxMail[]).filter((mail) => mail.to === to);
    const links = mails.map(({ text }) => /http\S+\?\S+/.exec(text)?.[0] ?? '');
    const link = links.findLast((one) => one.includes(path));
    if (link !== undefined && link !== known) return link;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No link to ${path} came to ${to}`);
}
