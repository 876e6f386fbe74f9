import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { violations, widerThanWindow } from './browser.ts';
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
import type { Person } from './site.ts';

/** The catalogue in the browser, and the two pages of single providers. */
const { site, operator, changeProvider, pageOf } = await startEarning({ after });

describe('the catalogue', () => {
  const titles = (page: Page, list: string) =>
    page.getByRole('list', { name: list }).getByRole('heading', { level: 3 }).allInnerTexts();
  type Entry = { title: string; category: string; reward: string; minutes: number };
  const read = async (path: string, member: Person): Promise<Entry[]> =>
    (await site.call('GET', path, { as: member })).body;
  const namesOf = (entries: Entry[]) => entries.map(({ title }) => title);

  it('§1-2 tasks and surveys: filters and sorts tasks, and keeps both in the URL', async () => {
    const member = await site.member();
    const { page, context, complaints } = await pageOf(member, '/tasks');
    const all = await read('/api/tasks', member);
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
    await sortBy('Newest', 'Highest reward');
    await shows(all.toSorted((one, other) => Number(other.reward) - Number(one.reward)));
    isAt('sort=reward');
    await sortBy('Highest reward', 'Quickest');
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
    await context.close();
  });

  it('shows pictures in their place and the steps of an entry, in the operators’ order', async () => {
    const entry = {
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
      // One pixel.
      picture:
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    };
    const added = await site.call('POST', '/api/admin/catalogue', { as: operator, body: entry });
    assert.equal(added.status, 201);
    for (const [locale, width, title, paid, step] of [
      ['en-US', 1440, 'Brick Saga', 'up to 4,200', 'Reach level 5within 7 days of starting'],
      ['ko-KR', 390, '벽돌 이야기', '최대 4,200', '5단계 도달시작한 날부터 7일 안'],
    ] as const) {
      const { page, context, complaints } = await pageOf(await site.member(), '/earn', {
        locale,
        viewport: { width, height: 844 },
      });
      await page.addInitScript(() => {
        Object.assign(window, { shift: 0 });
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries() as unknown as { value: number }[])
            Object.assign(window, { shift: (window as unknown as { shift: number }).shift + value });
        }).observe({ type: 'layout-shift', buffered: true });
      });
      // The picture comes late.
      await page.route('**/api/tasks/pictures/*', async (route) => {
        await new Promise((done) => setTimeout(done, 400));
        await route.continue();
      });
      const isPicture = page.waitForResponse('**/api/tasks/pictures/*');
      await page.goto(`${site.origin}/tasks`);
      const row = page.getByRole('listitem').filter({ hasText: title });
      await row.getByText(paid).waitFor();
      assert.equal((await titles(page, locale === 'en-US' ? 'Tasks' : '할 일'))[0], title);
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
      assert.equal((await steps.first().locator('span').nth(1).textContent()) ?? '', step);
      assert.match((await steps.last().textContent()) ?? '', /4,000/);
      assert.equal(new URL(page.url()).search, '', 'no wall opened');
      assert.deepEqual(await violations(page), []);
      assert.equal(await widerThanWindow(page), 0);
      const { SCREENSHOTS: folder } = process.env;
      if (folder) await page.screenshot({ path: `${folder}/tasks-${width}.png` });
      await page.unrouteAll({ behavior: 'wait' });
      assert.deepEqual(complaints, []);
      await context.close();
    }
    await site.call('DELETE', `/api/admin/catalogue/${added.body.id}`, { as: operator });
  });

  it('opens an entry’s wall over the list, and returns to the entry when it closes', async () => {
    const { page, context } = await pageOf(await site.member(), '/tasks?category=game');
    const entry = page.getByRole('link', { name: 'Harbour Town' });
    await entry.click();
    await wallIn(dialogOf(page, 'kiwiwall')).getByRole('heading', { level: 1, name: 'KiwiWall' }).waitFor();
    await closeButton(page, 'kiwiwall').click();
    await dialogOf(page, 'kiwiwall').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).search, '?category=game');
    await eventually('the focus is not back at the entry', () => hasFocus(entry));
    await context.close();
  });

  it('opens external entries in a new tab without an opener', async () => {
    const url = `${site.sandbox.wallOrigin}/partner`;
    await site.owner.rows(sql`
      insert into earning.catalogue (kind, category, provider, title, description, points, minutes, url, created_at)
      values ('task', 'offer', 'kiwiwall', 'Partner offer', 'Elsewhere', 10, 1, 'https://partner.example/',
        platform.business_now())`);
    const { page, context } = await pageOf(await site.member(), '/tasks');
    await context.route('https://partner.example/**', (route) => route.fulfill({ body: `<p>${url}</p>` }));
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: /Partner offer/ }).click(),
    ]);
    await tab.waitForLoadState();
    assert.equal(tab.url(), 'https://partner.example/');
    assert.equal(await tab.evaluate(() => window.opener), null);
    await site.owner.rows(sql`delete from earning.catalogue where title = 'Partner offer'`);
    await context.close();
  });

  it('shows surveys by category with average duration and reward', async () => {
    const member = await site.member();
    const { page, context, complaints } = await pageOf(member, '/surveys');
    const all = await read('/api/cpx-surveys', member);
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
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('shows an error and retries a failed list, and offers a next step in an empty one', async () => {
    const { page, context } = await pageOf(await site.member(), '/tasks?category=video', { locale: 'ko-KR' });
    await page.route('**/api/cpx-surveys*', (route) => route.abort());
    await page.goto(`${site.origin}/surveys`);
    await page.getByText('목록을 불러오지 못했습니다').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.unroute('**/api/cpx-surveys*');
    await page.getByRole('button', { name: '다시 시도' }).click();
    await page.getByRole('list', { name: '설문' }).waitFor();
    for (const id of providerIds) await changeProvider(id, { isEnabled: false });
    await page.goto(`${site.origin}/tasks`);
    await page.getByText('지금은 등록된 할 일이 없습니다').waitFor();
    await page.getByRole('link', { name: '제공사 보기' }).click();
    await page.getByText('지금은 열린 제공사가 없습니다').waitFor();
    assert.deepEqual(await violations(page), []);
    for (const id of providerIds) await changeProvider(id, { isEnabled: true });
    await context.close();
  });
});

describe('/cpx-surveys', () => {
  const start = (page: Page) => page.getByRole('button', { name: 'Start surveys' });

  it('§1-2 survey page: opens CPX Research in a new tab without an opener, and records the opening', async () => {
    const member = await site.member();
    const { page, context, complaints } = await pageOf(member, '/cpx-surveys');
    const [tab] = await Promise.all([context.waitForEvent('page'), start(page).click()]);
    await tab.getByRole('heading', { level: 1, name: 'CPX Research' }).waitFor();
    assert.equal(await tab.evaluate(() => window.opener), null);
    await page.getByText('CPX Research is open in a new tab.').waitFor();
    const [line] = (await site.call('GET', '/api/offerwalls/activity', { as: member })).body;
    assert.deepEqual([line.provider, line.state], ['cpx', 'opened']);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('shows in both languages that the URL could not be made, and closes the empty tab', async () => {
    await changeProvider('cpx', { isEnabled: false });
    for (const [locale, button, words] of [
      ['en-US', 'Start surveys', 'The CPX Research address could not be made.'],
      ['ko-KR', '설문 시작', 'CPX Research URL을 생성할 수 없습니다.'],
    ] as const) {
      const { page, context } = await pageOf(await site.member(), '/cpx-surveys', { locale });
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('alert').getByText(words).waitFor();
      await eventually('the tab is still there', async () => context.pages().length === 1);
      assert.deepEqual(await violations(page), []);
      await context.close();
    }
    await changeProvider('cpx', { isEnabled: true });
  });

  it('shows that the connection failed', async () => {
    const { page, context } = await pageOf(await site.member(), '/cpx-surveys');
    await page.route('**/api/cpx/url*', (route) => route.abort());
    await start(page).click();
    await page
      .getByRole('alert')
      .getByText(/problem with the connection/)
      .waitFor();
    await context.close();
  });

  it('shows a link if the browser blocked the tab', async () => {
    const { page, context } = await pageOf(await site.member(), '/cpx-surveys');
    await page.evaluate(() => {
      window.open = () => null;
    });
    await start(page).click();
    await page.getByText('Your browser kept the new tab closed.').waitFor();
    const link = page.getByRole('link', { name: 'Open CPX Research' });
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
    await tab.getByRole('heading', { level: 1, name: 'CPX Research' }).waitFor();
    assert.equal(await tab.evaluate(() => window.opener), null);
    await context.close();
  });

  it('§1-8 survey page: says that login is required when the session has ended, and shows the login view', async () => {
    const member = await site.member();
    const { page, context } = await pageOf(member, '/cpx-surveys');
    // The session ends at the press. Before it, any other call would show the login view and remove the button.
    await page.route('**/api/cpx/url*', async (route) => {
      await site.call('POST', '/api/auth/logout', { as: member });
      await route.continue();
    });
    await start(page).click();
    await page.getByRole('alert').getByText('Login is required.').waitFor();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/cpx-surveys');
    await context.close();
  });
});

describe('/kiwiwall-offers', () => {
  it('shows visitors a card, and the login view at its button', async () => {
    const { page, context, complaints } = await pageOf(null, '/kiwiwall-offers');
    await page.getByRole('heading', { level: 1, name: 'Authentication required' }).waitFor();
    assert.equal(await page.locator('iframe').count(), 0);
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('E-mail').waitFor();
    assert.equal(new URL(page.url()).pathname, '/kiwiwall-offers');
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('§2-2 KiwiWall: shows the rate and the wall, 1,400 px tall, and credits in place', async () => {
    const { page, context, complaints } = await pageOf(await site.member(), '/kiwiwall-offers');
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
    await context.close();
  });

  it('§2-8 KiwiWall: shows that the wall did not open, and opens it at the next attempt', async () => {
    await changeProvider('kiwiwall', { isEnabled: false });
    const { page, context } = await pageOf(await site.member(), '/kiwiwall-offers');
    await page.getByText('KiwiWall is closed right now').waitFor();
    assert.deepEqual(await violations(page), []);
    await changeProvider('kiwiwall', { isEnabled: true });
    await page.getByRole('button', { name: 'Try again' }).click();
    await wallIn(page).getByRole('heading', { level: 1, name: 'KiwiWall' }).waitFor();
    await context.close();
  });
});
