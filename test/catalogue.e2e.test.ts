import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { violations, visit } from './browser.ts';
import { pixel } from './catalogue-browser.ts';
import {
  closeButton,
  dialogOf,
  eventually,
  hasFocus,
  offerIn,
  providerIds,
  startEarning,
  wallIn,
} from './earning-browser.ts';

/** The catalogue in the browser, and the two pages of single providers. */
const { site, operator, changeProvider, pageOf } = await startEarning({ after });

await site.owner.rows(sql`
  insert into earning.catalogue (kind, category, provider, title, description, points, minutes, url, created_at)
  values ('task', 'offer', 'kiwiwall', 'Partner offer', 'Elsewhere', 10, 1, 'https://partner.example/',
    platform.business_now())`);
const added = await site.call('POST', '/api/admin/catalogue', {
  as: operator,
  body: {
    kind: 'task',
    category: 'game',
    provider: 'kiwiwall',
    title: 'Brick Saga',
    titleKo: '벽돌 이야기',
    description: 'Two levels, each paid on its own.',
    minutes: 14 * 24 * 60,
    steps: [
      { title: 'Reach level 5', titleKo: '5단계 도달', points: '200', days: 7 },
      { title: 'Reach level 12', points: '4000' },
    ],
    picture: pixel,
  },
});
assert.equal(added.status, 201);

/** A member’s page in English and another's in Korean on a phone. Both go through all screens. */
const member = await site.member();
const english = await pageOf(member, '/tasks');
const korean = await pageOf(await site.member(), '/earn', {
  locale: 'ko-KR',
  viewport: { width: 390, height: 844 },
});
const go = (page: Page, path: string) => visit(page, site.origin + path);

describe('the catalogue', () => {
  const titles = async (page: Page, list: string) =>
    (await page.getByRole('list', { name: list }).getByRole('heading', { level: 3 }).allInnerTexts()).map(
      (title) => title.replace(/\s*\(opens in a new tab\)$/, ''),
    );
  type Entry = { title: string; category: string; reward: string; minutes: number };
  const read = async (path: string): Promise<Entry[]> => (await site.call('GET', path, { as: member })).body;
  const namesOf = (entries: Entry[]) => entries.map(({ title }) => title);

  it('§1-2 tasks and surveys: filters and sorts tasks, and keeps both in the URL', async () => {
    const { page, complaints } = english;
    const all = await read('/api/tasks');
    const shows = async (entries: Entry[]) => {
      const wanted = namesOf(entries);
      await eventually(`not shown: ${wanted}`, async () => `${await titles(page, 'Tasks')}` === `${wanted}`);
    };
    const isAt = (...search: string[]) =>
      assert.deepEqual(new URL(page.url()).search.slice(1).split('&').sort(), search);
    await shows(all);
    const sortBy = async (from: string, to: string) => {
      await page.getByRole('button', { name: `Order: ${from}` }).click();
      await page.getByRole('menuitemradio', { name: to }).click();
    };
    await sortBy('Recommended', 'Newest');
    isAt('sort=newest');
    await sortBy('Newest', 'Quickest');
    const quickest = all.toSorted((one, other) => one.minutes - other.minutes);
    await shows(quickest);
    for (const [label, category] of [
      ['Videos', 'video'],
      ['Games', 'game'],
      ['Apps', 'app'],
      ['Offers', 'offer'],
    ] as const) {
      const chip = page.getByRole('button', { name: label, exact: true });
      await chip.click();
      const wanted = quickest.filter((task) => task.category === category);
      assert.ok(wanted.length > 0, category);
      await shows(wanted);
      assert.equal(await chip.getAttribute('aria-pressed'), 'true');
    }
    isAt('category=offer', 'sort=quickest');
    await page.reload();
    await shows(quickest.filter((task) => task.category === 'offer'));
    await page.goBack();
    await shows(quickest.filter((task) => task.category === 'app'));
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await sortBy('Quickest', 'Recommended');
    await shows(all);
    isAt('');
    assert.deepEqual(complaints, []);
  });

  it('opens external entries in a new tab without an opener', async () => {
    const { page, context } = english;
    await context.route('https://partner.example/**', (route) => route.fulfill({ body: '<p>Elsewhere</p>' }));
    await go(page, '/tasks');
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: /Partner offer/ }).click(),
    ]);
    await tab.waitForLoadState();
    assert.equal(tab.url(), 'https://partner.example/');
    assert.equal(await tab.evaluate(() => window.opener), null);
    await tab.close();
  });

  it('opens an entry’s wall over the list, and returns to the entry when it closes', async () => {
    const { page } = english;
    await go(page, '/tasks?category=game');
    const entry = page.getByRole('link', { name: 'Harbour Town' });
    await entry.click();
    await wallIn(dialogOf(page, 'kiwiwall')).getByRole('heading', { level: 1, name: 'KiwiWall' }).waitFor();
    await closeButton(page, 'kiwiwall').click();
    await dialogOf(page, 'kiwiwall').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).search, '?category=game');
    await eventually('the focus is not back at the entry', () => hasFocus(entry));
  });

  it('shows surveys by category with average duration and reward', async () => {
    const { page, complaints } = english;
    await go(page, '/surveys');
    const all = await read('/api/cpx-surveys');
    for (const pitch of ['up to 200 P', '5–15 minutes', 'within 24 hours'])
      await page.getByRole('region', { name: 'Surveys in figures' }).getByText(pitch).waitFor();
    const general = all.filter(({ category }) => category === 'general');
    const average = (of: (entry: Entry) => number) =>
      general.reduce((sum, entry) => sum + of(entry), 0) / general.length;
    const button = page.getByRole('button', { name: /^General/ });
    await eventually('no averages', async () => {
      const text = (await button.innerText()).replaceAll('\u00a0', ' ');
      return (
        text.includes(`${Math.round(average(({ minutes }) => minutes))} min`) &&
        text.includes(`${Math.floor(average(({ reward }) => Number(reward)))} P`)
      );
    });
    await button.click();
    await eventually(
      'not filtered',
      async () => `${await titles(page, 'Surveys')}` === `${namesOf(general)}`,
    );
    assert.equal(new URL(page.url()).search, '?category=general');
    await page.getByRole('button', { name: 'Show all surveys' }).click();
    await eventually('not all', async () => (await titles(page, 'Surveys')).length === all.length);
    assert.deepEqual(complaints, []);
  });

  it('shows pictures in their place and the steps of an entry, in the operators’ order', async () => {
    const { page, complaints } = korean;
    await page.evaluate(() => {
      Object.assign(window, { shift: 0 });
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries() as unknown as { value: number }[])
          Object.assign(window, { shift: (window as unknown as { shift: number }).shift + value });
      }).observe({ type: 'layout-shift' });
    });
    // The picture comes late.
    await page.route('**/api/tasks/pictures/*', async (route) => {
      await new Promise((done) => setTimeout(done, 400));
      await route.continue();
    });
    const isPicture = page.waitForResponse('**/api/tasks/pictures/*');
    await go(page, '/tasks');
    const row = page.getByRole('listitem').filter({ hasText: '벽돌 이야기' });
    await row.getByText('최대 4,200').waitFor();
    assert.equal((await titles(page, '할 일'))[0], '벽돌 이야기');
    assert.equal((await isPicture).headers()['content-type'], 'image/png');
    await eventually('no picture', () =>
      row.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth === 1),
    );
    assert.ok((await page.evaluate<number>('window.shift')) < 0.02, 'the layout moved');
    assert.equal((await page.locator('main svg[viewBox="0 0 160 120"]').count()) > 0, true, 'no quilts');
    const steps = row.getByRole('listitem');
    assert.equal(await steps.count(), 0, 'the steps are closed');
    await row.locator('summary').focus();
    await page.keyboard.press('Enter');
    assert.equal(await steps.first().locator('span').nth(1).textContent(), '5단계 도달시작한 날부터 7일 안');
    assert.match((await steps.last().textContent()) ?? '', /4,000/);
    assert.equal(new URL(page.url()).search, '', 'no wall opened');
    assert.deepEqual(await violations(page), []);
    await page.unrouteAll({ behavior: 'wait' });
    assert.deepEqual(complaints, []);
  });

  it('shows an error and retries a failed list, and offers a next step in an empty one', async () => {
    const { page } = korean;
    await page.route('**/api/cpx-surveys*', (route) => route.abort());
    await go(page, '/surveys');
    await page.getByText('목록을 불러오지 못했습니다').waitFor();
    await page.unroute('**/api/cpx-surveys*');
    await page.getByRole('button', { name: '다시 시도' }).click();
    await page.getByRole('list', { name: '설문' }).waitFor();
    await site.owner.rows(sql`delete from earning.catalogue where title = 'Partner offer'`);
    for (const id of providerIds) await changeProvider(id, { isEnabled: false });
    await page.goto(`${site.origin}/tasks`);
    await page.getByText('지금은 등록된 할 일이 없습니다').waitFor();
    await page.getByRole('link', { name: '제공사 보기' }).click();
    await page.getByText('지금은 열린 제공사가 없습니다').waitFor();
    for (const id of providerIds) await changeProvider(id, { isEnabled: true });
  });
});

describe('/cpx-surveys', () => {
  const start = (page: Page) => page.getByRole('button', { name: 'Start surveys' });

  it('§1-2 survey page: opens CPX Research in a new tab without an opener, and records the opening', async () => {
    const { page, context, complaints } = english;
    await go(page, '/cpx-surveys');
    const [tab] = await Promise.all([context.waitForEvent('page'), start(page).click()]);
    await tab.getByRole('heading', { level: 1, name: 'CPX Research' }).waitFor();
    assert.equal(await tab.evaluate(() => window.opener), null);
    await tab.close();
    await page.getByText('CPX Research is open in a new tab.').waitFor();
    const [line] = (await site.call('GET', '/api/offerwalls/activity', { as: member })).body;
    assert.deepEqual([line.provider, line.state], ['cpx', 'opened']);
    assert.deepEqual(complaints, []);
  });

  it('shows that the URL could not be made or the connection failed, and closes the empty tab', async () => {
    const { page, context } = korean;
    await go(page, '/cpx-surveys');
    const button = page.getByRole('button', { name: '설문 시작' });
    await changeProvider('cpx', { isEnabled: false });
    await button.click();
    await page.getByRole('alert').getByText('CPX Research URL을 생성할 수 없습니다.').waitFor();
    await eventually('the tab is still there', async () => context.pages().length === 1);
    assert.deepEqual(await violations(page), []);
    await changeProvider('cpx', { isEnabled: true });
    await page.route('**/api/cpx/url*', (route) => route.abort());
    await button.click();
    await page.getByRole('alert').getByText('연결에 문제가 있습니다.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('shows a link if the browser blocked the tab', async () => {
    const { page, context } = english;
    await go(page, '/cpx-surveys');
    await page.evaluate(() => {
      const { open } = window;
      window.open = () => {
        window.open = open;
        return null;
      };
    });
    await start(page).click();
    await page.getByText('Your browser kept the new tab closed.').waitFor();
    const link = page.getByRole('link', { name: 'Open CPX Research' });
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
    await tab.waitForLoadState();
    assert.match(await tab.title(), /CPX Research/);
    assert.equal(await tab.evaluate(() => window.opener), null);
    await tab.close();
  });
});

describe('/kiwiwall-offers', () => {
  it('§2-8 KiwiWall: shows that the wall did not open, and opens it at the next attempt', async () => {
    const { page } = english;
    await changeProvider('kiwiwall', { isEnabled: false });
    await go(page, '/kiwiwall-offers');
    await page.getByText('KiwiWall is closed right now').waitFor();
    await changeProvider('kiwiwall', { isEnabled: true });
    await page.getByRole('button', { name: 'Try again' }).click();
    await wallIn(page).getByRole('heading', { level: 1, name: 'KiwiWall' }).waitFor();
    english.complaints.splice(0);
  });

  it('§2-2 KiwiWall: shows the rate and the wall, 1,400 px tall, and credits in place', async () => {
    const { page, complaints } = english;
    await go(page, '/kiwiwall-offers');
    await page.getByRole('region', { name: 'Exchange rate' }).getByText('1,000 P = $1.00').waitFor();
    const wall = wallIn(page);
    await offerIn(wall, 'Parcel Watch').getByRole('button', { name: 'Complete' }).waitFor();
    assert.equal(
      await page.locator('iframe').evaluate((frame) => frame.parentElement?.parentElement?.offsetHeight),
      1_400,
    );
    await offerIn(wall, 'Parcel Watch').getByRole('button', { name: 'Complete' }).click();
    await page.getByText('80 P from KiwiWall.').waitFor();
    assert.deepEqual(complaints, []);
  });
});

describe('a session that has ended', () => {
  it('§1-8 survey page: says that login is required when the session has ended, and shows the login view', async () => {
    const { page } = english;
    await go(page, '/cpx-surveys');
    // The session ends at the press. Before it, any other call would show the login view and remove the button.
    await page.route('**/api/cpx/url*', async (route) => {
      await site.call('POST', '/api/auth/logout', { as: member });
      await route.continue();
    });
    await page.getByRole('button', { name: 'Start surveys' }).click();
    await page.getByRole('alert').getByText('Login is required.').waitFor();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/cpx-surveys');
  });

  it('leaves visitors a card in place of KiwiWall, and the login view at its button', async () => {
    const { page } = english;
    await go(page, '/kiwiwall-offers');
    await page.getByRole('heading', { level: 1, name: 'Authentication required' }).waitFor();
    assert.equal(await page.locator('iframe').count(), 0);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('E-mail').waitFor();
    assert.equal(new URL(page.url()).pathname, '/kiwiwall-offers');
  });
});
