import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { violations } from './browser.ts';
import {
  closeButton,
  dialogOf,
  eventually,
  hasFocus,
  offerIn,
  providerIds,
  providerNameOf,
  startEarning,
  wallIn,
} from './earning-browser.ts';

/** Earning in the browser: every wall in its frame, its credits, and its error messages. */
const { site, operator, changeProvider, pageOf } = await startEarning({ after });

const tile = (page: Page, id: string) =>
  page.getByRole('button', { name: new RegExp(`^${providerNameOf(id)}: `) });
/** The newest line of the activity list. */
const newestLine = (page: Page) =>
  page.getByRole('region', { name: 'What you opened lately' }).getByRole('listitem').first();

describe('the walls on /earn', () => {
  it('§1-2 earn: open in a full-screen frame with a button that returns to the tile', async () => {
    const { page, context, complaints } = await pageOf(await site.member(), '/earn');
    for (const id of providerIds) {
      await tile(page, id).click();
      const dialog = dialogOf(page, id);
      await wallIn(dialog)
        .getByRole('heading', { level: 1, name: providerNameOf(id) })
        .waitFor();
      await eventually(`the focus is not at the way out of ${id}`, () => hasFocus(closeButton(page, id)));
      const { width, height } = (await dialog.boundingBox()) ?? { width: 0, height: 0 };
      // The whole width except the gutter of the scroll bar.
      assert.ok(width > 1_420 && height === 900, `${width} × ${height}`);
      assert.equal(new URL(page.url()).search, `?wall=${id}`);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await eventually(`the focus is not back at ${id}`, () => hasFocus(tile(page, id)));
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('credit without a reload: toast, balance and activity list follow', async () => {
    const { page, context, complaints } = await pageOf(await site.member(), '/earn');
    await page.getByText('Nothing opened yet').waitFor();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    const balance = page.locator('header').getByRole('link', { name: /Balance/ });

    await tile(page, 'cpx').click();
    const survey = offerIn(wallIn(dialogOf(page, 'cpx')), 'Streaming and television at home');
    await survey.getByRole('button', { name: 'Complete' }).click();
    await page.getByText('120 P from CPX Research.').waitFor();
    await closeButton(page, 'cpx').click();
    await balance.filter({ hasText: '120 P' }).waitFor();
    await newestLine(page).getByText('+120').waitFor();
    assert.match(
      await newestLine(page).innerText(),
      /^CPX Research\s+Opened\s+\w+ \d+, .+Credited\s+\w+ \d+, .+/s,
    );

    await tile(page, 'kiwiwall').click();
    await eventually('the opened wall has no line', async () =>
      /KiwiWall\s+Opened[\s\S]+Pending\s+not yet\s+Credited\s+usually within 72.h/.test(
        await newestLine(page).innerText(),
      ),
    );
    const offer = offerIn(wallIn(dialogOf(page, 'kiwiwall')), 'Budget Bee');
    await offer.getByRole('button', { name: 'Complete' }).click();
    await page.getByText('350 P from KiwiWall.').waitFor();
    await closeButton(page, 'kiwiwall').click();
    await balance.filter({ hasText: '470 P' }).waitFor();
    await newestLine(page).getByText('+350').waitFor();

    assert.equal(await page.evaluate(() => Object.hasOwn(window, 'isSamePage')), true);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('show credits that are held or reversed', async () => {
    const { page, context } = await pageOf(await site.member(), '/earn?wall=kiwiwall');
    const wall = wallIn(dialogOf(page, 'kiwiwall'));
    await offerIn(wall, 'Night Train').waitFor();
    const window = page.viewportSize()?.width;
    const covered = (await dialogOf(page, 'kiwiwall').boundingBox())?.width;
    assert.equal(covered, window, 'a strip beside the wall is left uncovered');
    await offerIn(wall, 'Night Train').getByRole('button', { name: 'Complete' }).click();
    await wall.getByText('The site answered 200').first().waitFor();
    await eventually('the held reward is not pending', async () =>
      /Pending\s+a person looks first[\s\S]+12,500/.test(await newestLine(page).innerText()),
    );
    await offerIn(wall, 'Parcel Watch').getByRole('button', { name: 'Complete' }).click();
    await page.getByText('80 P from KiwiWall.').waitFor();
    await offerIn(wall, 'Parcel Watch').getByRole('button', { name: 'Reverse' }).click();
    await eventually('the reversal is not told', async () => {
      const text = await newestLine(page).innerText();
      return /Reversed/.test(text) && /80/.test(text) && !/Credited/.test(text);
    });
    await context.close();
  });
});

describe('a wall that can’t be opened', () => {
  it('shows that its provider was switched off, and opens at the next attempt', async () => {
    const { page, context } = await pageOf(await site.member(), '/earn');
    for (const id of ['bitlabs', 'cpx'] as const) {
      await tile(page, id).waitFor();
      await changeProvider(id, { isEnabled: false });
      await tile(page, id).click();
      const failure = dialogOf(page, id).getByRole('alert');
      await failure.getByText(`${providerNameOf(id)} is closed right now`).waitFor();
      assert.deepEqual(await violations(page), []);
      await changeProvider(id, { isEnabled: true });
      await failure.getByRole('button', { name: 'Try again' }).click();
      await wallIn(dialogOf(page, id)).getByRole('heading', { level: 1 }).waitFor();
      await closeButton(page, id).click();
      await dialogOf(page, id).waitFor({ state: 'detached' });
    }
    await context.close();
  });

  it('shows that the connection failed, and can be closed', async () => {
    const { page, context } = await pageOf(await site.member(), '/earn');
    await tile(page, 'cpx').waitFor();
    await page.route('**/api/cpx/generate-url', (route) => route.abort());
    await tile(page, 'cpx').click();
    const failure = dialogOf(page, 'cpx').getByRole('alert');
    await failure.getByText('CPX Research didn’t open').waitFor();
    await failure.getByText(/The server isn’t answering/).waitFor();
    await failure.getByRole('button', { name: 'Close' }).click();
    await dialogOf(page, 'cpx').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).search, '');
    await context.close();
  });

  it('asks to reload a page that is older than the wall', async () => {
    const { page, context } = await pageOf(await site.member(), '/earn');
    await tile(page, 'adgem').waitFor();
    const [before] = (await site.call('GET', '/api/admin/providers?q=adgem', { as: operator })).body;
    await changeProvider('adgem', { url: 'http://127.0.0.1:9/elsewhere' });
    await tile(page, 'adgem').click();
    await dialogOf(page, 'adgem')
      .getByText(/was loaded before AdGem was switched on/)
      .waitFor();
    assert.deepEqual(await violations(page), []);
    await changeProvider('adgem', { url: before.url });
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await wallIn(dialogOf(page, 'adgem')).getByRole('heading', { level: 1, name: 'AdGem' }).waitFor();
    await context.close();
  });

  it('shows suspended members why, on the page and at the wall’s URL', async () => {
    const member = await site.member();
    await site.owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
      values (${member.id}, 'test', 'temporary', 'earnings_blocked', platform.business_now())`);
    const { page, context } = await pageOf(member, '/earn');
    await page.getByText('Earning is suspended on your account').waitFor();
    await page.getByRole('link', { name: /Questions: / }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    assert.deepEqual(await violations(page), []);
    await page.goto(`${site.origin}/earn?wall=cpx`);
    await dialogOf(page, 'cpx').getByText('Earning is suspended on your account').waitFor();
    await context.close();
  });
});
