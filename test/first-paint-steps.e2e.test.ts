import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { type Account, demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';

/** What a screen shows from the first paint of its document until its content: nothing disappears, changes or moves. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const PANEL = '/management-panel-x7k9w';
const QUEUE = `${PANEL}/withdrawals`;

async function contextOf(account: Account, width: number): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    locale: 'en-US',
    serviceWorkers: 'block',
  });
  await signIn(context, site, account);
  await context.addInitScript(() => localStorage.setItem('operatorLanguage', 'en'));
  return context;
}

/** Delays every call that the first render does not wait for. */
const delayCalls = (page: Page, ms: number) =>
  page.route('**/api/**', async (route) => {
    const isNeeded = /\/api\/(config|user|user\/settings|user\/stats)$/.test(
      new URL(route.request().url()).pathname,
    );
    if (!isNeeded) await sleep(ms);
    await route.continue();
  });

/** Counts the frames in which an expression is true, from when the app has replaced the document's skeleton. */
const countFrames = (page: Page, isFault: string) =>
  page.addInitScript(`
    window.faults = 0;
    let isStarted = false;
    const look = () => {
      const isWaiting = document.querySelector('[data-waiting]') !== null;
      isStarted ||= isWaiting;
      if (isStarted && !isWaiting && (${isFault})) window.faults += 1;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  `);

const faultsOf = (page: Page) => page.evaluate<number>('window.faults');

describe('a screen between its first paint and its content', () => {
  it('keeps the font, size and width of the balance when the app’s style sheets arrive', async () => {
    const context = await contextOf(site.member, 390);
    const page = await context.newPage();
    await page.route(/\.js$/, (route) => route.abort());
    const { promise: isRead, resolve: markRead } = Promise.withResolvers<void>();
    await page.route(/\.css$/, async (route) => {
      await isRead;
      await route.continue();
    });
    await page.goto(site.origin, { waitUntil: 'commit' });
    const figure = page.locator('#root [data-waiting] main [data-points]');
    await figure.waitFor();
    const read = () =>
      figure.evaluate(async (element) => {
        await document.fonts.ready;
        const of = (one: Element) => {
          const { fontFamily, fontSize, lineHeight, letterSpacing } = getComputedStyle(one);
          return { fontFamily, fontSize, lineHeight, letterSpacing };
        };
        return { figure: of(element), body: of(document.body), width: element.getBoundingClientRect().width };
      });
    await page.waitForFunction(() => document.fonts.check('660 52px "Pretendard Variable"', '0'));
    const before = await read();
    assert.match(before.figure.fontFamily, /^"Pretendard Variable"/);
    markRead();
    await page.waitForFunction(
      () => getComputedStyle(document.documentElement).getPropertyValue('--mantine-scale') !== '',
    );
    assert.deepEqual(await read(), before);
    await context.close();
  });

  const lists: [account: Account, path: string][] = [
    ...['/earn', '/tasks', '/surveys', '/history', '/withdrawal'].map((path): [Account, string] => [
      site.member,
      path,
    ]),
    [site.operator, QUEUE],
    [site.operator, `${PANEL}/support`],
  ];
  for (const [account, path] of lists)
    it(`shows either the skeleton or the content of ${path} in every frame`, async () => {
      const context = await contextOf(account, 390);
      const page = await context.newPage();
      await delayCalls(page, 1_000);
      const shapes = 'main li, main article, main [class*=tile], main tbody tr';
      await countFrames(
        page,
        `![...document.querySelectorAll('${shapes}')].some(
          (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().height > 0)`,
      );
      await page.goto(site.origin + path);
      await page.locator('#main').waitFor();
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'attached' });
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
      assert.equal(await faultsOf(page), 0);
      await context.close();
    });

  for (const width of [390, 1440])
    it(`leaves no card of Home empty while its code is loaded (${width} px)`, async () => {
      const context = await contextOf(site.member, width);
      const page = await context.newPage();
      await countFrames(
        page,
        `[...document.querySelectorAll('main .card')].some((card) => !card.firstChild)`,
      );
      let isStarted = false;
      await page.route(/\/assets\/.*\.js$/, async (route) => {
        isStarted ||= (await page.locator('[data-waiting]').count()) === 0;
        if (isStarted) await sleep(500);
        await route.continue();
      });
      await page.goto(site.origin);
      await page.getByRole('heading', { name: 'Daily bonus' }).waitFor();
      await page.getByRole('heading', { name: 'Coin flip' }).waitFor();
      assert.equal(await faultsOf(page), 0);
      await context.close();
    });

  for (const [what, pattern] of [
    ['calls', /\/api\/(?!config$|user$|user\/settings$|user\/stats$)/],
    ['style sheets', /\.css$/],
    ['fonts', /\.woff2$/],
    ['notices', /\/api\/(notices|user\/stats|user\/history)/],
  ] as const)
    it(`moves next to nothing of a Korean phone’s Home when its ${what} come late`, async () => {
      const { storageState } = await contextOf(site.member, 390).then(async (context) => {
        const storageState = await context.storageState();
        await context.close();
        return { storageState };
      });
      const context = await browser.newContext({
        storageState,
        viewport: { width: 390, height: 844 },
        locale: 'ko-KR',
        serviceWorkers: 'block',
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      await page.addInitScript(`
        window.moved = [];
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries())
            moved.push([value, ...sources.map(({ node }) => node?.className ?? node?.nodeName)].join(' '));
        }).observe({ type: 'layout-shift', buffered: true });
      `);
      await page.route(pattern, async (route) => {
        await sleep(800);
        await route.continue();
      });
      await page.goto(site.origin);
      await page.locator('main').getByRole('region').first().waitFor();
      await page.waitForLoadState('networkidle');
      await page.evaluate(() => document.fonts.ready);
      const moved = await page.evaluate<string[]>('window.moved');
      const shift = moved.reduce((sum, text) => sum + Number.parseFloat(text), 0);
      assert.ok(shift < 0.008, `${shift}: ${moved.join(', ')}`);
      await page.unrouteAll({ behavior: 'wait' });
      await context.close();
    });

  it('has the styles of every skeleton in the document', async () => {
    const context = await contextOf(site.member, 390);
    for (const path of ['/', '/earn', '/history', '/withdrawal', '/referrals']) {
      const html = await (await context.request.get(site.origin + path)).text();
      const [head = '', body = ''] = html.split('</head>');
      const names = new Set(body.match(/(?<=[" ])_[\w-]+_[\w-]{5}_\d+(?=[" ])/g));
      assert.ok(names.size > 5, path);
      assert.deepEqual(
        [...names].filter((name) => !head.includes(`.${name}`)),
        [],
        path,
      );
    }
    await context.close();
  });

  for (const width of [360, 1440])
    it(`moves nothing of the operators’ lists when their totals and rows arrive (${width} px)`, async () => {
      const context = await contextOf(site.operator, width);
      for (const path of [QUEUE, `${PANEL}/support`]) {
        const page = await context.newPage();
        await delayCalls(page, 1_500);
        await page.goto(site.origin + path, { waitUntil: 'commit' });
        const read = () =>
          page.locator('#main').evaluate((main) => {
            const widths = [...main.querySelectorAll('dl > div')].map(
              (one) => one.getBoundingClientRect().width,
            );
            const top = main.querySelector('search')?.getBoundingClientRect().top;
            let ground: Element | null = main.querySelector('li, tbody tr');
            while (ground !== null && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)')
              ground = ground.parentElement;
            return {
              top,
              widths: innerWidth < 700 ? widths : [],
              ground: ground && getComputedStyle(ground).backgroundColor,
            };
          });
        await page.locator('#main [aria-busy="true"] li').first().waitFor({ state: 'attached' });
        const before = await read();
        await page.locator('#main [aria-busy="true"]').waitFor({ state: 'detached' });
        await page.locator('#main dl').getByText(/\d/).first().waitFor();
        await page.waitForLoadState('networkidle');
        assert.deepEqual(await read(), before, path);
        await page.close();
      }
      await context.close();
    });

  it('shows the same columns in every frame of an operators’ list', async () => {
    const context = await contextOf(site.operator, 1440);
    const page = await context.newPage();
    await page.goto(site.origin + QUEUE);
    await page.locator('tbody tr').first().waitFor();
    const menu = page.getByRole('navigation');
    await menu.getByRole('link', { name: 'Tickets' }).click();
    await page.locator(`main a[download][href*="ticket"]`).waitFor();
    const sampled = page.evaluate(async () => {
      const found: number[] = [];
      while (found.length < 30) {
        const isQueue = document.querySelector('main a[download][href*="withdrawals"]') !== null;
        const count = document.querySelectorAll('main th').length;
        if (isQueue && count > 0) found.push(count);
        await new Promise(requestAnimationFrame);
      }
      return found;
    });
    await menu.getByRole('link', { name: 'Withdrawals' }).click();
    const counts = await sampled;
    assert.deepEqual([...new Set(counts)], [counts.at(-1)]);
    await context.close();
  });

  it('shows a failed list of the operators on the ground of its rows', async () => {
    const context = await contextOf(site.operator, 1440);
    const page = await context.newPage();
    await page.route('**/api/admin/withdrawals-data*', (route) => route.abort());
    await page.goto(site.origin + QUEUE);
    const retry = page.locator('#main').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    assert.equal(
      await retry.evaluate((button) => {
        let ground = button.parentElement;
        while (ground !== null && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)')
          ground = ground.parentElement;
        const paper = getComputedStyle(document.body).backgroundColor;
        return ground !== null && getComputedStyle(ground).backgroundColor !== paper;
      }),
      true,
    );
    await context.close();
  });
});

it('fits a large sum of waiting requests on a phone of 360 px, and the button that approves it', async () => {
  const context = await contextOf(site.operator, 360);
  const page = await context.newPage();
  await page.route('**/api/admin/stats', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: { ...(await answer.json()), pendingAmount: '1234567890' },
    });
  });
  await page.route('**/api/admin/withdrawals/planned', async (route) => {
    const answer = await route.fetch();
    const { rejection, approval } = (await answer.json()) as { rejection: object; approval: object };
    const json = { rejection, approval: { ...approval, points: '1234567890' } };
    await route.fulfill({ response: answer, json });
  });
  await page.goto(site.origin + QUEUE);
  await page.locator('dl').getByText('1,234,567,890').waitFor();
  const widthOfPage = () => page.evaluate<number>('document.documentElement.scrollWidth');
  assert.equal(await widthOfPage(), 360);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Approve all…' }).click();
  const buttons = page.getByRole('dialog').getByRole('button');
  await buttons.last().waitFor();
  for (const button of await buttons.all()) {
    const box = await button.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 360, await button.innerText());
  }
  assert.equal(await widthOfPage(), 360);
  await page.unrouteAll({ behavior: 'wait' });
  await context.close();
});
