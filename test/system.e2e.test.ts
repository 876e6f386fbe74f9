import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** What operators see of how the site runs, and a new try of what failed. */
const { panel, page, complaints } = await operatorPage({ after });

const address = `${panel}?tab=system`;
const now = new Date().toISOString();
const failedJob = {
  id: '7',
  name: 'mail.send',
  state: 'failed',
  attempts: 300,
  attemptsMax: 300,
  error: 'No such mailbox',
  recipient: 'kim@example.com',
  createdAt: now,
  runAt: now,
};
const failedMail = {
  id: '100000001.3',
  userId: '100000001',
  userEmail: 'mina@example.com',
  userName: 'Mina Kim',
  kind: 'security',
  reason: '550 No such mailbox',
  attempts: 15,
  dueAt: null,
  createdAt: now,
};
/** A list that has one failed thing until it is tried again. */
async function failing(path: string, failed: { id: string }): Promise<string[]> {
  const tried: string[] = [];
  await page.route(`**/api/admin/${path}`, (route) =>
    route.fulfill({ json: tried.length === 0 ? [failed] : [] }),
  );
  await page.route(`**/api/admin/${path}/*/retry`, (route) => {
    tried.push(new URL(route.request().url()).pathname.split('/').at(-2) ?? '');
    return route.fulfill({ json: failed });
  });
  return tried;
}
/** The parts of the page that scroll up and down inside it. */
const scrolled = (page: Page): Promise<string[]> =>
  page.getByRole('main').evaluate((main) =>
    [main, ...main.querySelectorAll('*')]
      .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowY))
      .filter((part) => part.scrollHeight > part.clientHeight + 1)
      .map((part) => part.outerHTML.slice(0, 80)),
  );
const card = (name: string) => page.getByRole('region', { name, exact: true });

describe('the system', () => {
  it('§2-2 dashboard: names release, nodes, queues, sweeps, leases and migrations, in Korean first', async () => {
    await page.goto(address);
    await page.getByRole('heading', { level: 2, name: '보내지 못한 메일' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await card('Nodes')
      .getByRole('row', { name: /this one/ })
      .waitFor();
    await card('Queues')
      .getByRole('row', { name: /^notice-mails/ })
      .waitFor();
    await card('Sweeps')
      .getByRole('row', { name: /^Work on payouts/ })
      .waitFor();
    await card('Leases').getByRole('row').nth(1).waitFor();
    await card('Migrations')
      .getByRole('row', { name: /^0001_platform\.sql/ })
      .waitFor();
    await page.getByText('Every mail was sent, or was not tried yet.').waitFor();
  });

  it('sends a mail again that failed, and tries a job again', async () => {
    const mails = await failing('failed-mails', failedMail);
    const jobs = await failing('jobs', failedJob);
    await page.goto(address);
    const mail = page.getByRole('listitem').filter({ hasText: '550 No such mailbox' });
    await mail.getByText('15 attempts. It is not tried again.').waitFor();
    assert.deepEqual(await violations(page), []);
    await mail.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The mail to mina@example.com is sent now.').waitFor();
    await mail.waitFor({ state: 'detached' });
    const job = page.getByRole('listitem').filter({ hasText: 'kim@example.com' });
    await job.getByText('No such mailbox').waitFor();
    await job.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The job is tried now.').waitFor();
    await job.waitFor({ state: 'detached' });
    assert.deepEqual([mails, jobs], [[failedMail.id], [failedJob.id]]);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('has no violation of accessibility on a phone and in the dark, and nothing wider than the window', async () => {
    const { SCREENSHOTS: folder } = process.env;
    await failing('failed-mails', failedMail);
    await failing('jobs', failedJob);
    for (const [width, colorScheme, language] of [
      [1440, 'light', 'en'],
      [1440, 'dark', 'ko'],
      [390, 'light', 'ko'],
      [390, 'dark', 'en'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await page.evaluate((code) => localStorage.setItem('operatorLanguage', code), language);
      await page.goto(address);
      await page.getByText('0001_platform.sql').waitFor();
      assert.deepEqual(await violations(page), []);
      assert.ok((await widerThanWindow(page)) <= 0);
      if (width === 390) assert.deepEqual(await scrolled(page), [], 'the page alone scrolls on a phone');
      const path = `${folder}/system-${width}-${colorScheme}.png`;
      if (folder) await page.screenshot({ path, fullPage: true });
    }
    assert.deepEqual(complaints, []);
    await page.unrouteAll({ behavior: 'wait' });
  });
});
