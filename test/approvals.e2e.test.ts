import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sentence } from '#contract/operator-sentences.ts';
import { settle, violations, widerThanWindow } from './browser.ts';
import { openApproval } from './bulk-dialog.ts';
import { unaccountedPayments } from './left-after-restore.ts';
import { operatorPage } from './operator-browser.ts';
import { queueParts } from './queue-parts.ts';

/** An operator's approval in the browser: the quote that is seen, and the time to take it back. */
// The button to take an approval back is shown for the delay, so this is longer than the test takes on a busy machine.
const { site, panel, page, context, complaints } = await operatorPage(
  { after },
  { language: 'en', payoutDelaySeconds: 600, path: '/withdrawals' },
);

const examine = async (id: string) =>
  (await page.request.get(`${site.origin}/api/admin/withdrawals/${id}`)).json() as Promise<{
    status: string;
    quote: { coinAmount: string } | null;
    trouble: string | null;
  }>;

describe('an approval', () => {
  it('shows what it pays, and is taken back within its delay', async () => {
    const row = page.locator('tbody').getByRole('row').first().getByRole('button');
    const id = ((await row.getAttribute('id')) ?? '').replace('row-', '');
    await row.click();
    const sheet = page.getByRole('complementary');
    const { quote, trouble } = await examine(id);
    assert.ok(quote, trouble ?? 'no quote');
    await sheet.getByText(quote.coinAmount).waitFor();
    assert.deepEqual(await violations(page), []);
    await sheet.getByRole('button', { name: /^Approve .*, next$/ }).click();
    const toast = page.getByRole('status').filter({ hasText: 'The payment is on its way.' });
    await toast.getByRole('button', { name: 'Take the approval back' }).click();
    await page.getByRole('status').filter({ hasText: 'is pending again. Nothing was sent.' }).waitFor();
    assert.equal((await examine(id)).status, 'pending');
    assert.deepEqual(complaints, []);
  });
});

const queue = `${panel}/withdrawals`;
const examination = /\/api\/admin\/withdrawals\/[0-9a-f-]{36}$/;

describe('the button of an approval', () => {
  it('waits for the amount that is approved, and approves one request by a double click', async () => {
    const { promise: isAsked, resolve: release } = Promise.withResolvers<void>();
    await page.route(examination, async (route) => {
      await isAsked;
      await route.continue();
    });
    const approvals: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/approve')) approvals.push(request.postData());
    });
    await page.goto(queue);
    await page.locator('tbody').getByRole('row').first().getByRole('button').click();
    const approve = page.getByRole('complementary').getByRole('button', { name: /^Approve .*, next$/ });
    await approve.waitFor();
    // Longer than the time for which a sheet that has just opened takes no approval.
    await page.waitForTimeout(800);
    assert.equal(await approve.isDisabled(), true);
    release();
    const box = await approve.boundingBox();
    assert.ok(box);
    const button = await approve.elementHandle();
    await page.waitForFunction((element) => element?.matches(':enabled'), button);
    const opened = page.url();
    await page.mouse.click(box.x + 20, box.y + 20);
    await page.waitForURL((url) => url.href !== opened);
    await page.mouse.click(box.x + 20, box.y + 20);
    await page.mouse.dblclick(box.x + 20, box.y + 20);
    await page.waitForFunction((element) => element?.matches(':enabled'), await approve.elementHandle());
    await page.unrouteAll({ behavior: 'wait' });
    assert.equal(approvals.length, 1, approvals.join());
    assert.match(approvals[0] ?? '', /"quoteId":"[0-9a-f-]{36}"/);
  });

  for (const [obstacle, change] of [
    ['On hold', { holdUntil: new Date(Date.now() + 3_600_000).toISOString() }],
    ['Can’t be approved now', { quote: null, trouble: 'The rate is too old.' }],
  ] as const)
    it(`is disabled and says why: ${obstacle}`, async () => {
      await page.route(examination, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), ...change } });
      });
      await page.goto(queue);
      await page.locator('tbody').getByRole('row').first().getByRole('button').click();
      const sheet = page.getByRole('complementary');
      await sheet
        .getByRole('status', { name: obstacle })
        .getByText(/^(The address is used for the first time, .*|The rate is too old\.)/)
        .waitFor();
      await page.waitForTimeout(700);
      assert.equal(await sheet.getByText(obstacle, { exact: true }).count(), 1, 'it is said once');
      assert.equal(await sheet.getByText('An approval can be taken back', { exact: false }).count(), 0);
      assert.equal(await sheet.getByRole('button', { name: /^Approve .*, next$/ }).isDisabled(), true);
      await page.unrouteAll({ behavior: 'wait' });
    });
});

const { notices, dialog, readsFirst } = queueParts(page);

describe('a rate that waits for a confirmation', () => {
  it('moves nothing when a poll brings it, and is confirmed with a reason', async () => {
    // The answer comes after the list is shown, as that of a later poll does.
    let shown = Promise.withResolvers<void>();
    const bodies: unknown[] = [];
    await page.route('**/api/admin/rates', async (route) => {
      const response = await route.fetch();
      await shown.promise;
      const at = new Date().toISOString();
      const waiting = { usd: '98.20', at, sources: [{ name: 'first.example', usd: '98.20', at }] };
      const rates = ((await response.json()) as { currency: string }[]).map((rate) =>
        rate.currency === 'litecoin'
          ? { ...rate, usd: '71.48', waiting: bodies.length === 0 ? waiting : null }
          : rate,
      );
      await route.fulfill({ response, json: rates });
    });
    await page.route('**/api/admin/rates/litecoin/confirm', async (route) => {
      bodies.push(route.request().postDataJSON());
      await route.fulfill({ json: {} });
    });
    for (const width of [390, 1024, 1440]) {
      shown = Promise.withResolvers<void>();
      await page.setViewportSize({ width, height: 900 });
      await page.goto(queue);
      const row = page.locator('[id^="row-"]').first();
      await row.waitFor();
      await settle(page);
      const before = await row.boundingBox();
      shown.resolve();
      await notices().waitFor();
      await settle(page);
      assert.deepEqual(await row.boundingBox(), before, `${width} px`);
      await notices().click();
      const title = 'LTC $71.48 → $98.20 (+37%)';
      await dialog
        .getByRole('region', { name: title })
        .getByText('first.example $98.20', { exact: false })
        .waitFor();
      await dialog.getByRole('button', { name: 'Confirm…' }).click();
      const said = await readsFirst();
      for (const fact of ['$71.48', '$98.20', '+37']) assert.ok(said.includes(fact), said);
      if (width === 390) assert.deepEqual(await violations(page), []);
      if (width < 1440) await page.keyboard.press('Escape');
    }
    await dialog.getByRole('button', { name: 'Confirm $98.20' }).click();
    await dialog.getByText('Reason is required').waitFor();
    await dialog.getByLabel('Reason').fill('Three exchanges say so');
    await dialog.getByRole('button', { name: 'Confirm $98.20' }).click();
    await page.getByText('The rate of LTC is $98.20.').waitFor();
    assert.deepEqual(bodies, [{ usd: '98.20', reason: 'Three exchanges say so' }]);
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('what is left after a restore', () => {
  const nothing = {
    pending: [],
    unaccounted: [],
    unaccountedCount: 0,
    checkedCount: 0,
    approvedCount: 0,
    waitingPayoutCount: 0,
    waitingRequestCount: 0,
    reasons: [],
  };
  const COMPARED = /^Payouts are compared with the payments that were made/;
  const show = async (state: object, title = COMPARED) => {
    await page.route('**/api/admin/payouts/restore', (route) =>
      route.fulfill({ json: { ...nothing, ...state } }),
    );
    await page.goto(queue);
    await page.getByRole('button', { name: title }).click();
  };

  const OLDER = sentence('database-older', { knownCount: 5, markedCount: 7 });

  it('is said above the list when the comparison is done, with what is known of the copy', async () => {
    for (const [reason, title] of [
      [OLDER, /^An older backup was restored/],
      [sentence('marker-missing'), /^Payouts were compared; some need you/],
    ] as const) {
      await show({ checkedCount: 2, waitingRequestCount: 2, reasons: [reason] }, title);
      await dialog.getByText(reason, { exact: true }).waitFor();
      await dialog.getByText('2 pending requests may be paid already.', { exact: false }).waitFor();
      // Nothing is left to compare, and no command asks for a reason.
      assert.equal(await dialog.locator('code').count(), 0);
      assert.doesNotMatch(await dialog.innerText(), /REASON|are compared/);
      await dialog.getByRole('link', { name: 'Open the pending requests' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.waitForURL(/\/withdrawals\?status=pending$/);
      await page.unrouteAll({ behavior: 'wait' });
    }
  });

  it('says how many payouts and requests wait, and the whole commands, to be copied', async () => {
    const { free, unlisted, stranger } = unaccountedPayments;
    const pending = [{ method: 'dash', reason: 'Older.', since: free.at, trouble: null }];
    const counts = { waitingPayoutCount: 1, waitingRequestCount: 3 };
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await show({
        pending,
        unaccounted: [free, unlisted, stranger],
        unaccountedCount: 3,
        reasons: [OLDER],
        ...counts,
      });
      // One notice has no count behind it that no word explains.
      assert.match(await notices().innerText(), / wait for this\.$/);
      await dialog.getByText('1 payout and 3 requests wait for this.').waitFor();
      await dialog.getByText(OLDER, { exact: true }).waitFor();
      // First who waits, then the steps in their order; the last resort is opened by hand.
      assert.match(
        await dialog.innerText(),
        /1 payout and 3 requests wait.*Compare again.*No payout accounts/s,
      );
      const last = dialog.getByRole('group').filter({ hasText: 'Last resort' });
      assert.equal(await last.getByRole('button').count(), 0);
      await last.getByText('Last resort').click();
      await last.getByText('can be made a second time', { exact: false }).waitFor();
      assert.equal(await last.getByRole('button', { name: 'Copy the command' }).count(), 1);
      for (const command of [
        `npm run admin -- ${free.revocation} REASON`,
        `npm run admin -- ${unlisted.revocation} REASON`,
        `npm run admin -- ${unlisted.neverMade} REASON`,
        'npm run admin -- reconcile',
        'npm run admin -- reconcile --noted REASON',
        `npm run admin -- ${free.notOwed} REASON`,
        'npm run admin -- reconcile --give-up dash REASON',
      ]) {
        const line = dialog.getByRole('paragraph').filter({ has: page.getByText(command, { exact: true }) });
        await line.getByRole('button', { name: 'Copy the command' }).click();
        await line.getByRole('button', { name: 'Copied' }).waitFor();
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), command);
      }
      if (width === 390) assert.deepEqual(await violations(page), []);
      assert.ok((await widerThanWindow(page)) <= 0, `${width} px`);
      await page.unrouteAll({ behavior: 'wait' });
    }
  });
});

describe('approvals of a restored copy', () => {
  const state = {
    pending: [],
    unaccounted: [],
    unaccountedCount: 0,
    checkedCount: 0,
    approvedCount: 2,
    waitingPayoutCount: 0,
    waitingRequestCount: 0,
    reasons: [],
  };

  it('are said where they alone are left, with the way to them and the command that sends them', async () => {
    await page.route('**/api/admin/payouts/restore', (route) => route.fulfill({ json: state }));
    await page.goto(queue);
    await notices().filter({ hasText: 'Approvals of the restored copy wait for you 2 payouts' }).click();
    await dialog.getByText('2 payouts were approved in the restored copy', { exact: false }).waitFor();
    const commands = await dialog.locator('code').allInnerTexts();
    assert.deepEqual(commands, ['npm run admin -- reconcile --release-approved REASON']);
    assert.doesNotMatch(await dialog.innerText(), /\b0 |Last resort/);
    await dialog.getByRole('link', { name: 'Open Payouts, Checking' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL(/\/payouts\?state=parked$/);
    await page.unrouteAll({ behavior: 'wait' });
  });

  for (const [counts, said] of [
    [{ waitingPayoutCount: 1 }, '1 payout waits for this.'],
    [{ waitingRequestCount: 2 }, '2 requests wait for this.'],
  ] as const)
    it(`leave out a count of zero: ${said}`, async () => {
      const waiting = { ...state, approvedCount: 0, checkedCount: 1, ...counts };
      await page.route('**/api/admin/payouts/restore', (route) => route.fulfill({ json: waiting }));
      await page.goto(queue);
      await notices().filter({ hasText: said }).waitFor();
      await page.unrouteAll({ behavior: 'wait' });
    });
});

describe('what stands against an approval', () => {
  /** Shows the first row with this obstacle, and its examination with this change. */
  async function show(approvalObstacle: string, rejectionObstacle: string | null, change: object) {
    const known = { flags: [approvalObstacle], approvalObstacle, rejectionObstacle };
    await page.route(/\/api\/admin\/withdrawals-data/, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { withdrawals: object[] };
      const withdrawals = answer.withdrawals.map((row, index) => (index === 0 ? { ...row, ...known } : row));
      await route.fulfill({ response, json: { ...answer, withdrawals } });
    });
    await page.route(examination, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...known, ...change } });
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${queue}?status=pending`);
    return page.locator('tbody').getByRole('row').first();
  }
  const sheet = page.getByRole('complementary');

  it('is in the row of a request whose points may be paid already, which can be rejected', async () => {
    const row = await show('points-in-check', null, {});
    await row.getByText('Points may be paid already').waitFor();
    assert.equal(await row.getByRole('checkbox').isDisabled(), false);
    assert.ok((await widerThanWindow(page)) <= 0);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('is in the row of a request that may be paid already, which no act on many takes', async () => {
    const row = await show('in-check', 'in-check', {});
    await row.getByText('May be paid already').waitFor();
    const box = row.getByRole('checkbox', { name: /^Select .*: left out, May be paid already$/ });
    assert.equal(await box.isDisabled(), true);
    await page.getByRole('checkbox', { name: 'Select all pending requests on this page' }).check();
    const count = await page.locator('tbody').getByRole('row').count();
    await page.getByText(`${count - 1} selected`).waitFor();
    assert.equal(await box.isChecked(), false);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('names the cap, how much of it is used, and its end', async () => {
    const cap = {
      name: 'methodDay',
      points: '500000',
      usedPoints: '499500',
      endsAt: '2026-07-31T15:00:00.000Z',
    };
    const obstacle = { code: 'payout-capped', cap };
    const row = await show('capped', null, { quote: null, trouble: 'The cap.', obstacle });
    await row.getByText('Over the cap').waitFor();
    await row.getByRole('button').click();
    const text = /This method pays at most 500,000\sP a day\. 499,500\sP are approved today.*The day ends /;
    await sheet.getByRole('status', { name: 'Over the cap' }).getByText(text).waitFor();
    await page.waitForTimeout(700);
    assert.equal(await sheet.getByRole('button', { name: /^Approve .*, next$/ }).isDisabled(), true);
    assert.deepEqual(await violations(page), []);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('offers the first of two approvals once', async () => {
    const headers = { origin: site.origin };
    const limits = (secondPersonFrom: string | null) =>
      page.request.put(`${site.origin}/api/admin/site`, { headers, data: { caps: { secondPersonFrom } } });
    await limits('1');
    await page.goto(`${queue}?status=pending`);
    const rows = page.locator('tbody').getByRole('row');
    await rows.first().getByText('Needs 2 people').waitFor();
    const opener = rows.first().getByRole('button');
    const id = ((await opener.getAttribute('id')) ?? '').replace('row-', '');
    await opener.click();
    await sheet.getByRole('button', { name: 'Give the first approval' }).click();
    await page.getByText(/^The first approval of .* is recorded/).waitFor();
    complaints.splice(0);
    await page.locator(`tr:has(#row-${id})`).getByText('Second operator needed').waitFor();
    await page.goto(`${queue}?status=pending&open=${id}`);
    await sheet.getByText('You gave the first approval.', { exact: false }).waitFor();
    assert.equal(await sheet.getByRole('button', { name: /pprov/ }).count(), 0);
    await page.keyboard.press('Escape');
    for (const index of [0, 1]) await rows.nth(index).getByRole('checkbox').check();
    await openApproval(page);
    await dialog.getByText('1 selected request is left out', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: /^Approve 1, / }).click();
    await dialog.getByText('1 first approval given').waitFor();
    assert.equal(await dialog.getByText('not done').count(), 0);
    complaints.splice(0);
  });
});
