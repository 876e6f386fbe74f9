import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { isCampaign, ofTurn } from './combinations.ts';
import { visit } from './page-visit.ts';
import { demoSite } from './running-site.ts';
import { signedInContext } from './sign-in.ts';

/**
 * What a screen shows from the first paint of its document until its content: nothing disappears, changes or moves.
 * That the skeleton of each screen lies where the app is, `screens.e2e.test.ts` measures, and the campaign outlines.
 * The counts of the first paint don't depend on the machine's speed; figure B19 of `npm run bench` measures the times.
 */
const REQUESTS_MAX = 20;
const BYTES_MAX = 280_000;
const PANEL = '/management-panel-x7k9w';
const QUEUE = `${PANEL}/withdrawals`;

const site = await demoSite({ after });
const browser = await openBrowser({ after });

async function openContext(options: BrowserContextOptions = {}, account = site.member) {
  const context = await signedInContext(browser, site, account, options);
  await context.addInitScript(() => localStorage.setItem('operatorLanguage', 'en'));
  return context;
}

const operatorContext = (width: number) => openContext({ viewport: { width, height: 844 } }, site.operator);

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

/** Holds what a page loads from these addresses until the returned function is called. */
async function hold(page: Page, addresses: RegExp): Promise<() => void> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await isReleased;
    await route.continue();
  });
  return release;
}

/** The font, sizes and width of the balance in the document's skeleton. */
const looksOf = (page: Page) =>
  page.locator('#root [data-waiting] main [data-points]').evaluate(async (element) => {
    await document.fonts.ready;
    const of = (one: Element) => {
      const { fontFamily, fontSize, lineHeight, letterSpacing } = getComputedStyle(one);
      return { fontFamily, fontSize, lineHeight, letterSpacing };
    };
    return { figure: of(element), body: of(document.body), width: element.getBoundingClientRect().width };
  });

describe('the documents', () => {
  it('have a skeleton without words, with all its styles and tokens, for each screen of members', async () => {
    const context = await openContext();
    for (const path of ['/', '/earn', '/history', '/withdrawal', '/referrals', '/settings']) {
      const html = await (await context.request.get(site.origin + path)).text();
      const [head = '', body = ''] = html.split('</head>');
      const skeleton = /data-waiting[\s\S]*?<\/main>/.exec(body)?.[0] ?? '';
      assert.ok(skeleton.includes('<header'), path);
      assert.equal(skeleton.replaceAll(/^[^>]*>|<[^>]*>|&nbsp;|\u00a0P?/g, '').trim(), '', path);
      assert.equal(skeleton.includes('data-art'), path === '/' || path === '/withdrawal', path);
      const names = new Set(body.match(/(?<=[" ])_[\w-]+_[\w-]{5}_\d+(?=[" ])/g));
      assert.ok(names.size > 5, path);
      const lacksStyles = [...names].filter((name) => !head.includes(`.${name}`));
      assert.deepEqual(lacksStyles, [], path);
      const used = new Set([...html.matchAll(/var\((--e-[a-z0-9-]+)/g)].map(([, name]) => name));
      assert.ok(used.has('--e-coin'), path);
      const lacksTokens = [...used].filter((name) => !html.includes(`${name}:`));
      assert.deepEqual(lacksTokens, [], path);
    }
    await context.close();
  });
  it('are the same for a member as for an operator at the operators’ address', async () => {
    const documents = [];
    for (const account of [site.member, site.operator]) {
      const context = await openContext({}, account);
      const answer = await context.request.get(`${site.origin}/management-panel-x7k9w`);
      documents.push((await answer.text()).replaceAll(/nonce="[^"]*"/g, ''));
      await context.close();
    }
    assert.match(documents[0] ?? '', /data-waiting/);
    assert.equal(documents[0], documents[1]);
  });
  it('have no skeleton for a visitor', async () => {
    const answer = await fetch(`${site.origin}/earn`);
    assert.ok(!(await answer.text()).includes('data-waiting'));
  });
});

describe('the first paint of a member’s screen', () => {
  it('needs few requests and bytes, and fetches nothing twice', async () => {
    const newest = await (await fetch(`${site.origin}/api/announcements/latest`)).json();
    const read = async () => {
      const context = await openContext();
      // The banner of an announcement that is new to the member is painted with the app, after the document's skeleton.
      await context.addInitScript(`localStorage.setItem('lastSeenAnnouncementId', '${newest.id}')`);
      const seen = await visit(context, site.origin);
      await context.close();
      return seen;
    };
    let { requests, bytes, log } = await read();
    // A busy machine paints later, so later requests come before its paint.
    for (let more = 0; more < 2 && (requests > REQUESTS_MAX || bytes > BYTES_MAX); more += 1)
      ({ requests, bytes, log } = await read());
    assert.ok(requests <= REQUESTS_MAX, `${requests} requests: ${log.map(({ path }) => path).join(' ')}`);
    assert.ok(bytes <= BYTES_MAX, `${bytes} bytes`);
    const first = log.slice(0, requests).map(({ path }) => path);
    assert.deepEqual(first, [...new Set(first)]);
    for (const address of ['/api/user', '/api/config', '/api/user/settings', '/api/user/stats'])
      assert.ok(first.includes(address), address);
  });

  it('has the balance as the app shows it, in the site’s font, before a file of the app is loaded', async () => {
    const context = await openContext();
    const page = await context.newPage();
    const [releaseStyles, releaseScripts] = [await hold(page, /\.css$/), await hold(page, /\.js$/)];
    await page.goto(site.origin, { waitUntil: 'commit' });
    const figures = page.locator('#root [data-waiting] [data-points]');
    await figures.first().waitFor();
    assert.equal(await figures.count(), 2);
    const balance = await figures.first().innerText();
    assert.match(balance, /^[1-9][\d,]*$/);
    await page.waitForFunction(() => document.fonts.check('660 52px "Pretendard Variable"', '0'));
    const before = await looksOf(page);
    assert.match(before.figure.fontFamily, /^"Pretendard Variable"/);
    releaseStyles();
    await page.waitForFunction(
      () => getComputedStyle(document.documentElement).getPropertyValue('--mantine-scale') !== '',
    );
    assert.deepEqual(await looksOf(page), before);
    releaseScripts();
    await page.locator('[data-waiting]').waitFor({ state: 'detached' });
    assert.ok((await page.locator('[aria-labelledby="balance"]').innerText()).includes(`${balance}\u00a0P`));
    await context.close();
  });

  it('fetches again after signing in what an ended session was refused', async () => {
    const context = await openContext();
    const cookies = await context.cookies();
    await context.addCookies(
      cookies.filter(({ httpOnly }) => httpOnly).map((cookie) => ({ ...cookie, value: 'x'.repeat(43) })),
    );
    const page = await context.newPage();
    await page.goto(`${site.origin}/settings`);
    await page.getByLabel('E-mail', { exact: true }).fill(site.member.email);
    await page.getByLabel('Password', { exact: true }).fill(site.member.password);
    const settings = page.waitForResponse((answer) => answer.url().endsWith('/api/user/settings'));
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    assert.equal((await settings).status(), 200);
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await context.close();
  });
  it('runs the app although the call for the balance fails', async () => {
    const context = await openContext();
    const page = await context.newPage();
    await page.route('**/api/user/stats', (route) => route.abort());
    await page.goto(site.origin);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await context.close();
  });
});

describe('a screen between its first paint and its content', () => {
  const lists = [
    ['/history', QUEUE, '/earn'],
    ['/tasks', '/surveys', '/withdrawal', `${PANEL}/support`],
  ];
  for (const path of (isCampaign ? lists : lists.slice(0, 1)).flat())
    it(`shows either the skeleton or the content of ${path} in every frame`, async () => {
      const context = await (path.startsWith(PANEL) ? operatorContext(390) : openContext());
      const page = await context.newPage();
      await delayCalls(page, 500);
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

  for (const width of ofTurn([390, 1440], 0))
    it(`leaves no card of Home empty while its code is loaded (${width} px)`, async () => {
      const context = await openContext({ viewport: { width, height: 844 } });
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

  const parts = {
    calls: /\/api\/(?!config$|user$|user\/settings$|user\/stats$)/,
    'style sheets': /\.css$/,
    fonts: /\.woff2$/,
    notices: /\/api\/(notices|user\/stats|user\/history)/,
  };
  /** `npm test` delays all parts in one load, each by another time; the campaign each alone too. */
  const late: [what: string, patterns: RegExp[]][] = [
    ['parts', Object.values(parts)],
    ...Object.entries(isCampaign ? parts : {}).map(([what, one]): [string, RegExp[]] => [what, [one]]),
  ];
  for (const [what, patterns] of late)
    it(`moves next to nothing of a Korean phone’s Home when its ${what} come late`, async () => {
      const context = await openContext({ locale: 'ko-KR' });
      const page = await context.newPage();
      await page.addInitScript(`
        window.moved = [];
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries())
            moved.push([value, ...sources.map(({ node }) => node?.className ?? node?.nodeName)].join(' '));
        }).observe({ type: 'layout-shift', buffered: true });
      `);
      for (const [index, pattern] of patterns.entries())
        await page.route(pattern, async (route) => {
          await sleep(800 - 150 * index);
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

  for (const [turn, width] of [360, 1440].entries())
    it(`moves nothing of the operators’ lists when their totals and rows arrive (${width} px)`, async () => {
      const context = await operatorContext(width);
      for (const path of ofTurn([QUEUE, `${PANEL}/support`], turn)) {
        const page = await context.newPage();
        await delayCalls(page, 800);
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
    const context = await operatorContext(1440);
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
    const context = await operatorContext(1440);
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
  const context = await operatorContext(360);
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
