import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { openBrowser, openPage } from './browser.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';

/** The browser's reports about members. It reports nothing about visitors and never what is typed. */
const site = await demoSite({ after });
const { owner } = site;
const browser = await openBrowser({ after });

type Entry = {
  action: string;
  target: string | null;
  metadata: Record<string, unknown> | undefined;
  sessionId: string | null;
};
const reportedBy = async (email: string): Promise<Entry[]> => {
  const rows = await owner.rows<{ entries: Entry[] }>(sql`
    select b.entries from access.behaviour b join members.members m on m.id = b.member_id
    where m.email = ${email} order by b.id`);
  return rows.flatMap(({ entries }) => entries).filter(({ sessionId }) => sessionId != null);
};
async function until(isThere: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await isThere()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(what);
}
const reportsOf = (page: Page): string[] => {
  const bodies: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/behavior/log')) bodies.push(request.postData() ?? '');
  });
  return bodies;
};
/** Reports start when the browser is idle for the first time. */
const untilLoaded = (page: Page) =>
  page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/assets\/behaviour-/.test(name)),
  );

describe('a member’s browser', () => {
  it('§1-9 behaviour: reports mouse, keys, clicks, scrolling and leaving, throttled, never which key', async () => {
    const { page, context, complaints } = await openPage(browser);
    await signIn(context, site, site.member);
    await page.goto(`${site.origin}/history`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await untilLoaded(page);
    const begun = performance.now();
    for (let step = 0; step < 40; step += 1) {
      await page.mouse.move(200 + step * 5, 300);
      await page.mouse.wheel(0, 20);
    }
    await page.keyboard.type('a secret that is typed');
    const tookMs = performance.now() - begun;
    await page.getByRole('tab').nth(1).click();
    await page.goto(`${site.origin}/sandbox`);
    await until(async () => (await reportedBy(site.member.email)).length > 0, 'nothing was reported');

    const entries = await reportedBy(site.member.email);
    const of = (action: string) => entries.filter((entry) => entry.action === action);
    for (const action of ['mouse_move', 'scroll', 'keyboard', 'click'])
      assert.ok(of(action).length > 0, action);
    // The pointer moves again on its way to the tab.
    assert.ok(of('mouse_move').length <= tookMs / 500 + 3, `${of('mouse_move').length} in ${tookMs} ms`);
    assert.ok(of('scroll').length <= tookMs / 1000 + 2, `${of('scroll').length} in ${tookMs} ms`);
    assert.ok(of('keyboard').length <= tookMs / 100 + 2, `${of('keyboard').length} in ${tookMs} ms`);
    assert.ok(of('click').some(({ target }) => target?.startsWith('button[tab]')));
    assert.equal(new Set(entries.map(({ sessionId }) => sessionId)).size, 1);
    for (const { action, metadata } of entries) {
      assert.ok(!Number.isNaN(Date.parse(String(metadata?.at))));
      const told = Object.keys(metadata ?? {}).filter((name) => name !== 'at');
      const allowed = { keyboard: [], scroll: ['y'], visibility: ['state'] }[action] ?? ['x', 'y'];
      assert.deepEqual(told.sort(), allowed);
    }
    assert.ok(!/secret|typed|"key"/.test(JSON.stringify(entries)));
    assert.deepEqual(complaints, []);
    await context.close();
  });
  it('keeps working when reports are refused, and sends no more of them', async () => {
    const { page, context } = await openPage(browser);
    await signIn(context, site, site.member);
    await page.goto(`${site.origin}/history`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await untilLoaded(page);
    const sent: number[] = [];
    await page.route('**/api/behavior/log', (route) => {
      sent.push(1);
      return route.fulfill({ status: 429, body: '' });
    });
    // Fifty clicks fill a batch, which is sent at once.
    const fill = async () => {
      for (let clicks = 0; clicks < 52; clicks += 1) await page.mouse.click(5, 400);
    };
    await fill();
    await until(async () => sent.length > 0, 'no report was sent');
    await fill();
    assert.equal(sent.length, 1);
    await page.getByRole('tab').nth(1).click();
    await page.waitForURL('**/history?tab=withdrawals');
    await context.close();
  });
});

describe('a visitor’s browser', () => {
  it('§1-6 behaviour reports: loads no reporting code and reports nothing', async () => {
    const { page, context, complaints } = await openPage(browser);
    const bodies = reportsOf(page);
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    for (const path of ['/auth', '/earn']) {
      await page.goto(site.origin + path);
      await page.getByLabel('E-mail').fill('somebody@example.com');
      await page.mouse.move(50, 50);
      await page.mouse.click(60, 60);
      await page.waitForLoadState('networkidle');
    }
    await page.goto('about:blank');
    assert.deepEqual(bodies, []);
    assert.deepEqual(
      loaded.filter((url) => /\/assets\/behaviour-/.test(url)),
      [],
    );
    assert.deepEqual(complaints, []);
    await context.close();
  });
});
