import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, openPage, violations, visit } from './browser.ts';
import { isCampaign, ofTurn } from './combinations.ts';
import { visit as measuredVisit } from './page-visit.ts';
import { demoSite } from './running-site.ts';
import { signedInContext, signIn } from './sign-in.ts';

/**
 * What a screen shows from the first paint of its document until its content: nothing disappears, changes or moves.
 * That the skeleton of each screen lies where the app is, `screens.e2e.test.ts` measures, and the campaign outlines.
 * A site without a network shows its notice instead. The counts of the first paint don't depend on the machine's
 * speed; figure B19 of `npm run bench` measures the times.
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

const context = await openContext();
const ofOperator = await openContext({}, site.operator);
async function operatorPage(width: number): Promise<Page> {
  const page = await ofOperator.newPage();
  await page.setViewportSize({ width, height: 844 });
  return page;
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

/** Holds what a page loads from these addresses until the returned function is called. */
async function hold(page: Page, addresses: RegExp): Promise<() => void> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await isReleased;
    await route.continue();
  });
  return release;
}

/** Runs in the page: places of an operators' list, and on a phone the widths of its totals. */
function placesOfList() {
  const main = document.querySelector('#main');
  let ground: Element | null = main?.querySelector('li, tbody tr') ?? null;
  while (ground !== null && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)')
    ground = ground.parentElement;
  const widths = [...(main?.querySelectorAll('dl > div') ?? [])].map(
    (one) => one.getBoundingClientRect().width,
  );
  return {
    top: main?.querySelector('search')?.getBoundingClientRect().top,
    widths: innerWidth < 700 ? widths : [],
    ground: ground && getComputedStyle(ground).backgroundColor,
  };
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
    for (const path of ['/', '/earn', '/history', '/withdrawal', '/referrals', '/settings']) {
      const html = await (await context.request.get(site.origin + path)).text();
      const [head = '', body = ''] = html.split('</head>');
      const skeleton = /data-waiting[\s\S]*?<\/main>/.exec(body)?.[0] ?? '';
      assert.ok(skeleton.includes('<header'), path);
      assert.equal(skeleton.replaceAll(/^[^>]*>|<[^>]*>|&nbsp;|\u00a0P?/g, '').trim(), '', path);
      assert.equal(skeleton.includes('data-art'), path === '/', path);
      const names = new Set(body.match(/(?<=[" ])_[\w-]+_[\w-]{5}_\d+(?=[" ])/g));
      assert.ok(names.size > 5, path);
      const lacksStyles = [...names].filter((name) => !head.includes(`.${name}`));
      assert.deepEqual(lacksStyles, [], path);
      const used = new Set([...html.matchAll(/var\((--e-[a-z0-9-]+)/g)].map(([, name]) => name));
      assert.ok(used.has('--e-coin'), path);
      const lacksTokens = [...used].filter((name) => !html.includes(`${name}:`));
      assert.deepEqual(lacksTokens, [], path);
    }
  });
  it('are the same for a member as for an operator at the operators’ address', async () => {
    const documents = [];
    for (const { request } of [context, ofOperator]) {
      const answer = await request.get(site.origin + PANEL);
      documents.push((await answer.text()).replaceAll(/nonce="[^"]*"/g, ''));
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
      const seen = await measuredVisit(context, site.origin);
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
    await page.close();
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
    const page = await context.newPage();
    await page.route('**/api/user/stats', (route) => route.abort());
    await page.goto(site.origin);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.close();
  });
});

describe('a screen between its first paint and its content', () => {
  const isNothingShown = `![...document.querySelectorAll('main li, main article, main [class*=tile], main tbody tr')]
    .some((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().height > 0)`;
  for (const path of isCampaign ? ['/history', '/earn', '/tasks', '/surveys', '/withdrawal'] : ['/history'])
    it(`shows either the skeleton or the content of ${path} in every frame`, async () => {
      const page = await context.newPage();
      await delayCalls(page, 500);
      await countFrames(page, isNothingShown);
      await page.goto(site.origin + path);
      await page.locator('#main').waitFor();
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'attached' });
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
      assert.equal(await faultsOf(page), 0);
      await page.close();
    });

  for (const width of ofTurn([390, 1440], 0))
    it(`leaves no card of Home empty while its code is loaded (${width} px)`, async () => {
      const page = await context.newPage();
      await page.setViewportSize({ width, height: 844 });
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
      await page.close();
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

  const lists = [QUEUE, `${PANEL}/support`].flatMap((path) => [360, 1440].map((width) => ({ path, width })));
  for (const { path, width } of ofTurn(lists, 0))
    it(`leaves nothing empty of ${path}, nor moves it, when its totals and rows arrive (${width} px)`, async () => {
      const page = await operatorPage(width);
      await delayCalls(page, 800);
      await countFrames(page, isNothingShown);
      await page.goto(site.origin + path, { waitUntil: 'commit' });
      await page.locator('#main [aria-busy="true"] li').first().waitFor({ state: 'attached' });
      const before = await page.evaluate(placesOfList);
      await page.locator('#main [aria-busy="true"]').waitFor({ state: 'detached' });
      await page.locator('#main dl').getByText(/\d/).first().waitFor();
      await page.waitForLoadState('networkidle');
      assert.deepEqual(await page.evaluate(placesOfList), before);
      assert.equal(await faultsOf(page), 0);
      await page.close();
    });

  it('shows the same columns in every frame of an operators’ list', async () => {
    const page = await operatorPage(1440);
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
    await page.close();
  });
});

describe('without a network', () => {
  it('is installable, keeps only hashed files and the notice, and shows it in the reader’s language', async () => {
    const { page, context } = await openPage(browser, { serviceWorkers: 'allow' });
    // The worker controls the pages that are loaded after it was installed.
    await page.goto(`${site.origin}/about`);
    await page.evaluate(() => {
      const late = new Promise((_, fail) => setTimeout(() => fail(new Error('No service worker')), 20_000));
      return Promise.race([navigator.serviceWorker.ready.then(() => undefined), late]);
    });
    await assertInstallable(page);
    await signIn(context, site, site.member);
    await page.goto(site.origin);
    await page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await visit(page, `${site.origin}/earn`);
    await page.getByRole('heading', { level: 1, name: 'Earn' }).waitFor();
    await page.waitForLoadState('networkidle');
    const paths = await page.evaluate(async () => {
      const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
      const requests = (await Promise.all(stores.map((store) => store.keys()))).flat();
      return requests.map(({ url }) => new URL(url).pathname);
    });
    assert.ok(paths.filter((path) => path.startsWith('/assets/')).length > 10);
    const others = paths.filter((path) => !path.startsWith('/assets/'));
    assert.deepEqual(others, ['/offline', '/offline']);

    await context.setOffline(true);
    await page.goto(`${site.origin}/history?tab=withdrawals`);
    await page.getByRole('heading', { level: 1, name: 'You’re offline' }).waitFor();
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(ground, 'rgb(246, 241, 230)', 'without its styles');
    await context.addCookies([{ name: 'language', value: 'ko', url: site.origin }]);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: '인터넷에 연결되어 있지 않습니다' }).waitFor();
    await context.setOffline(false);
    await page.getByRole('link', { name: '다시 시도' }).click();
    await page.locator('header').waitFor();
    assert.equal(new URL(page.url()).search, '?tab=withdrawals');
    await context.close();
  });
  it('shows the notice inside the app, without errors in the console', async () => {
    const { page, context, complaints } = await openPage(browser);
    // A read that a newer one replaces is aborted, which is no failure.
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(request.url());
    });
    await signIn(context, site, site.member);
    await page.clock.install();
    // The last file that Home loads. On a busy machine the network may be quiet before.
    const isLoaded = page.waitForResponse(/\/assets\/behaviour-/);
    await page.goto(site.origin);
    await page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();
    await page.getByRole('heading', { name: 'Coin flip' }).waitFor();
    await isLoaded;
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.getByText('You’re offline. The figures may be old.').waitFor();
    assert.deepEqual(await violations(page), []);
    // The live connection and the polling retry meanwhile.
    await page.clock.runFor(60_000);
    assert.deepEqual(complaints, []);
    await context.setOffline(false);
    await page.getByText('You’re offline. The figures may be old.').waitFor({ state: 'detached' });
    await context.close();
  });
});

async function assertInstallable(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { url, errors } = await devtools.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  assert.match(url, /\/manifest\.webmanifest\?lang=en$/);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  // A private window installs nothing, on any site.
  const found = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
  assert.deepEqual(found, []);
}
