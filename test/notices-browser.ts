import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';

/** What the tests of notices and friends do and measure. */

export const connection = (page: Page) =>
  page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));

/** The postback that the sandbox's CPX Research sends when a survey is completed or left. */
export async function earnAs(
  context: BrowserContext,
  origin: string,
  action: 'complete' | 'screen-out',
): Promise<void> {
  const walls = (await (await context.request.get(`${origin}/api/offerwalls`)).json()) as {
    id: string;
    url: string;
  }[];
  const url = new URL(walls.find(({ id }) => id === 'cpx')?.url ?? '');
  const answer = await fetch(`${url.origin}/sandbox/wall/cpx/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: url.searchParams.get('ext_user_id'), points: 90 }),
  });
  assert.equal(answer.status, 200);
}

/** Waits for the mail to an address with a link to a path. */
export async function mailedLink(origin: string, email: string, path: string): Promise<string> {
  const pattern = new RegExp(`\\S+/${path}\\?\\S+`);
  for (let tries = 0; tries < 600; tries += 1) {
    const outbox = await (await fetch(`${origin}/sandbox/outbox`)).json();
    const mails = outbox as { to: string; text: string }[];
    const link = mails.map(({ to, text }) => (to === email ? pattern.exec(text)?.[0] : null)).find(Boolean);
    if (link) return link;
    await sleep(50);
  }
  throw new Error(`No mail with a link to ${path} came`);
}

/** Measures in the page how long from now, when a button is pressed, until it no longer says “Copied”. */
export const measureConfirmation = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const pressedAt = performance.now();
        let wasShown = false;
        const observer = new MutationObserver(() => {
          const said = [...document.querySelectorAll('button [role=status]')];
          const isShown = said.some(({ textContent }) => textContent === 'Copied');
          wasShown ||= isShown;
          if (isShown || !wasShown) return;
          observer.disconnect();
          resolve(performance.now() - pressedAt);
        });
        observer.observe(document.body, { subtree: true, characterData: true, childList: true });
      }),
  );
