import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sentence } from '#contract/operator-sentences.ts';
import { settle, violations, visit, widerThanWindow } from './browser.ts';
import { openApproval } from './bulk-dialog.ts';
import { leftAfterRestore, unaccountedPayments } from './left-after-restore.ts';
import { operatorPage } from './operator-browser.ts';
import { queueLine } from './queue-line.ts';
import { queueParts } from './queue-parts.ts';

/**
 * An operator's approval in the browser: the quote that is seen, the time to take it back, what stands against it, and
 * what an operator must know before.
 */
// The button to take an approval back is shown for the delay, so this is longer than the test takes on a busy machine.
const { site, headers, panel, page, context, complaints, requestWithdrawal } = await operatorPage(
  { after },
  { language: 'en', payoutDelaySeconds: 600 },
);
await context.grantPermissions(['clipboard-read', 'clipboard-write']);
const line = await queueLine(page);
const { notices, dialog, readsFirst, rowOf } = queueParts(page);
const queue = `${panel}/withdrawals`;
const examination = /\/api\/admin\/withdrawals\/[0-9a-f-]{36}$/;
const rows = page.locator('tbody').getByRole('row');
const sheet = page.getByRole('complementary');
const approve = sheet.getByRole('button', { name: /^Approve .*, next$/ });
for (const amount of ['1004', '1005', '1006']) await requestWithdrawal(amount);

const examine = async (id: string) =>
  (await page.request.get(`${site.origin}/api/admin/withdrawals/${id}`)).json();
const pendingIds = async (): Promise<string[]> => {
  const path = `${site.origin}/api/admin/withdrawals-data?status=pending&sort=createdAt&limit=100`;
  const { withdrawals } = await (await context.request.get(path)).json();
  return withdrawals.map(({ id }: { id: string }) => id);
};

describe('an approval', () => {
  it('shows what it pays, and is taken back within its delay', async () => {
    await page.goto(queue);
    const row = rows.first().getByRole('button');
    const id = ((await row.getAttribute('id')) ?? '').replace('row-', '');
    await row.click();
    const { quote, trouble } = await examine(id);
    assert.ok(quote, trouble ?? 'no quote');
    await sheet.getByText(quote.coinAmount).waitFor();
    await approve.click();
    const toast = page.getByRole('status').filter({ hasText: 'The payment is on its way.' });
    await toast.getByRole('button', { name: 'Take the approval back' }).click();
    await page.getByRole('status').filter({ hasText: 'is pending again. Nothing was sent.' }).waitFor();
    assert.equal((await examine(id)).status, 'pending');
    assert.deepEqual(complaints, []);
  });

  it('waits for the amount that is approved, and is given to one request by a double click', async () => {
    const { promise: isAsked, resolve: release } = Promise.withResolvers<void>();
    await page.route(examination, async (route) => {
      await isAsked;
      await route.continue();
    });
    const approvals: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/approve')) approvals.push(request.postData());
    });
    // This one was not examined before.
    await rows.nth(2).getByRole('button').click();
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
});

describe('what stands against an approval', () => {
  const cap = {
    name: 'methodDay',
    points: '500000',
    usedPoints: '499500',
    endsAt: '2026-07-31T15:00:00.000Z',
  };
  const obstructed = (approvalObstacle: string, rejectionObstacle: string | null = null) => ({
    flags: [approvalObstacle],
    approvalObstacle,
    rejectionObstacle,
  });
  const untold = (trouble: string) => ({ quote: null, trouble });
  const reference = 'f00d'.repeat(16);
  /** What the list and the examination say of the first requests, in their order. */
  const facts: { row: object; examined: object }[] = [
    { row: obstructed('points-in-check'), examined: untold(sentence('points-possibly-paid')) },
    { row: obstructed('in-check', 'in-check'), examined: {} },
    {
      row: {
        ...obstructed('over-cap'),
        flagFigures: [{ flag: 'over-cap', kind: 'points', value: cap.points }],
      },
      examined: { ...untold('The cap.'), obstacle: { code: 'payout-capped', cap } },
    },
    { row: obstructed('own-account', 'own-account'), examined: {} },
    { row: {}, examined: { holdUntil: new Date(Date.now() + 3_600_000).toISOString() } },
    {
      row: obstructed('points-in-check'),
      examined: untold(sentence('member-possibly-paid', { reference, paidPoints: 2_000 })),
    },
  ];
  let ids: string[] = [];
  const rowAt = (at: number) => rowOf(ids[at] ?? '');
  const open = (at: number) => rowAt(at).getByRole('button').click();
  /** Longer than the time for which a sheet that has just opened takes no approval. */
  const isRefused = async () => {
    await page.waitForTimeout(700);
    return approve.isDisabled();
  };

  before(async () => {
    ids = await pendingIds();
    assert.ok(ids.length >= facts.length, `${ids.length} requests`);
    const known = new Map(ids.map((id, at) => [id, facts[at]]));
    await page.route(/\/api\/admin\/withdrawals-data/, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { withdrawals: { id: string }[] };
      const withdrawals = answer.withdrawals.map((row) => ({ ...row, ...known.get(row.id)?.row }));
      await route.fulfill({ response, json: { ...answer, withdrawals } });
    });
    await page.route(examination, async (route) => {
      const response = await route.fetch();
      const { row, examined } =
        known.get(new URL(route.request().url()).pathname.split('/').at(-1) ?? '') ?? {};
      await route.fulfill({ response, json: { ...(await response.json()), ...row, ...examined } });
    });
    const json = leftAfterRestore({ checkedCount: 1, waitingRequestCount: 1 });
    await page.route('**/api/admin/payouts/restore', (route) => route.fulfill({ json }));
    await visit(page, queue);
    line.tell();
  });
  after(async () => {
    await page.unrouteAll({ behavior: 'wait' });
    line.tell();
  });

  it('is in the row, which an act on many leaves out if it can be rejected neither', async () => {
    const [inPoints, inCheck] = [rowAt(0), rowAt(1)];
    await inPoints.getByText('Points may be paid already').waitFor();
    assert.equal(await inPoints.getByRole('checkbox').isDisabled(), false);
    await inCheck.getByText('May be paid already').waitFor();
    const box = inCheck.getByRole('checkbox', { name: /^Select .*: left out, May be paid already$/ });
    assert.equal(await box.isDisabled(), true);
    const all = page.getByRole('checkbox', { name: 'Select all pending requests on this page' });
    await all.check();
    await page.getByText(`${ids.length - 2} selected`).waitFor();
    assert.equal(await box.isChecked(), false);
    await all.uncheck();
    assert.ok((await widerThanWindow(page)) <= 0);
  });

  it('names the cap, how much of it is used, and its end', async () => {
    await rowAt(2).getByText('Over limit $500.00').waitFor();
    await open(2);
    const text = /This method pays at most 500,000\sP a day\. 499,500\sP are approved today.*The day ends /;
    await sheet.getByRole('status', { name: 'Over the limit' }).getByText(text).waitFor();
    assert.equal(await isRefused(), true);
  });

  it('leaves the operator no decision about an own request', async () => {
    await open(3);
    await sheet.getByRole('button', { name: 'Reject…', disabled: true }).waitFor();
    assert.equal(await isRefused(), true);
  });

  it('is said once, where it is a hold of an address that is used for the first time', async () => {
    await open(4);
    const hold = sheet.getByRole('status', { name: 'On hold' });
    await hold.getByText(/^The address is used for the first time, /).waitFor();
    assert.equal(await isRefused(), true);
    assert.equal(await sheet.getByText('On hold', { exact: true }).count(), 1);
    assert.equal(await sheet.getByText('An approval can be taken back', { exact: false }).count(), 0);
  });

  it('is a sentence with its command whole, to be copied', async () => {
    await open(5);
    const command = sheet.getByText('npm run admin -- reconcile', { exact: true });
    assert.equal(await command.evaluate((element) => element.getClientRects().length), 1, 'one line');
    await sheet.getByRole('button', { name: 'Copy the command' }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'npm run admin -- reconcile');
    assert.doesNotMatch(await sheet.innerText(), /`/);
  });

  it('leads from held points to what is left after the restore, in the words of the row', async () => {
    await open(0);
    await sheet.getByText('Nothing is paid for them before that is done.', { exact: false }).waitFor();
    assert.equal(await isRefused(), true);
    // One badge, as in the row, and no command that only lists.
    assert.equal(await sheet.getByText('Points may be paid already', { exact: true }).count(), 1);
    assert.equal(await sheet.getByText('Pending', { exact: true }).count(), 0);
    assert.doesNotMatch(await sheet.innerText(), /`|npm run/);
    await sheet.getByRole('button', { name: 'What is left after the restore' }).click();
    const title = dialog.getByRole('heading', { name: 'What you must know' });
    await title.waitFor();
    await dialog.getByText('1 pending request may be paid already.', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await title.waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
  });
});

it('offers the first of two approvals once', async () => {
  const limits = { headers, data: { caps: { secondPersonFrom: '1' } } };
  assert.equal((await page.request.put(`${site.origin}/api/admin/site`, limits)).status(), 200);
  await visit(page, queue);
  line.tell();
  await rows.first().getByText('Needs 2 people').waitFor();
  const [id = '', ...others] = await pendingIds();
  await rowOf(id).getByRole('button').click();
  await sheet.getByRole('button', { name: 'Give the first approval' }).click();
  await page.getByText(/^The first approval of .* is recorded/).waitFor();
  await rowOf(id).getByText('Second operator needed').waitFor();
  await visit(page, `${queue}?open=${id}`);
  await sheet.getByText('You gave the first approval.', { exact: false }).waitFor();
  assert.equal(await sheet.getByRole('button', { name: /pprov/ }).count(), 0);
  await page.keyboard.press('Escape');
  for (const one of [id, ...others.slice(0, 1)]) await rowOf(one).getByRole('checkbox').check();
  await openApproval(page);
  await dialog.getByRole('region', { name: 'Left out, they stay pending 1' }).waitFor();
  await dialog.getByRole('button', { name: /^Approve 1, / }).click();
  await dialog.getByText('1 first approval given').waitFor();
  assert.equal(await dialog.getByText('not done').count(), 0);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await dialog.waitFor({ state: 'detached' });
  complaints.splice(0);
});

describe('a rate that waits for a confirmation', () => {
  it('moves nothing when a poll brings it, and is confirmed with a reason', async () => {
    let isWaiting = false;
    const bodies: unknown[] = [];
    await page.route('**/api/admin/rates', async (route) => {
      const response = await route.fetch();
      const at = new Date().toISOString();
      const waiting = { usd: '98.20', at, sources: [{ name: 'first.example', usd: '98.20', at }] };
      const rates = ((await response.json()) as { currency: string }[]).map((rate) =>
        rate.currency === 'litecoin' ? { ...rate, usd: '71.48', waiting: isWaiting ? waiting : null } : rate,
      );
      await route.fulfill({ response, json: rates });
    });
    await page.route('**/api/admin/rates/litecoin/confirm', async (route) => {
      bodies.push(route.request().postDataJSON());
      await route.fulfill({ json: {} });
    });
    await visit(page, queue);
    for (const width of [390, 1440]) {
      isWaiting = false;
      line.tell();
      await notices().waitFor({ state: 'detached' });
      await page.setViewportSize({ width, height: 900 });
      const row = page.locator('[id^="row-"]').first();
      await row.waitFor();
      await settle(page);
      const before = await row.boundingBox();
      isWaiting = true;
      line.tell();
      await notices().waitFor();
      await settle(page);
      assert.deepEqual(await row.boundingBox(), before, `${width} px`);
      await notices().click();
      const title = 'LTC $71.48 → $98.20 (+37%)';
      const region = dialog.getByRole('region', { name: title });
      await region.getByText('first.example $98.20', { exact: false }).waitFor();
      await dialog.getByRole('button', { name: 'Confirm…' }).click();
      const said = await readsFirst();
      for (const fact of ['$71.48', '$98.20', '+37']) assert.ok(said.includes(fact), said);
      if (width === 390) {
        assert.deepEqual(await violations(page), []);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
    }
    await dialog.getByRole('button', { name: 'Confirm $98.20' }).click();
    await dialog.getByText('Reason is required').waitFor();
    await dialog.getByLabel('Reason').fill('Three exchanges say so');
    isWaiting = false;
    await dialog.getByRole('button', { name: 'Confirm $98.20' }).click();
    await page.getByText('The rate of LTC is $98.20.').waitFor();
    assert.deepEqual(bodies, [{ usd: '98.20', reason: 'Three exchanges say so' }]);
    await notices().waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('what is left after a restore', () => {
  const older = sentence('database-older', { knownCount: 5, markedCount: 7 });
  let answer = leftAfterRestore({});
  /** The server says this of it from now on. */
  const show = (state: object) => {
    answer = leftAfterRestore(state);
    line.tell();
  };
  before(async () => {
    await page.route('**/api/admin/payouts/restore', (route) => route.fulfill({ json: answer }));
    await visit(page, queue);
  });

  it('is said above the list when the comparison is done, with what is known of the copy', async () => {
    for (const [reason, title] of [
      [older, /^An older backup was restored/],
      [sentence('marker-missing'), /^Payouts were compared; some need you/],
    ] as const) {
      show({ checkedCount: 2, waitingRequestCount: 2, reasons: [reason] });
      await page.getByRole('button', { name: title }).click();
      await dialog.getByText(reason, { exact: true }).waitFor();
      await dialog.getByText('2 pending requests may be paid already.', { exact: false }).waitFor();
      // Nothing is left to compare, and no command asks for a reason.
      assert.equal(await dialog.locator('code').count(), 0);
      assert.doesNotMatch(await dialog.innerText(), /REASON|are compared/);
      await dialog.getByRole('link', { name: 'Open the pending requests' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.waitForURL(/\/withdrawals\?status=pending$/);
    }
  });

  it('leaves out a count of zero', async () => {
    show({ checkedCount: 1, waitingPayoutCount: 1 });
    await notices().filter({ hasText: '1 payout waits for this.' }).waitFor();
    show({ checkedCount: 1, waitingRequestCount: 2 });
    await notices().filter({ hasText: '2 requests wait for this.' }).waitFor();
  });

  it('has approvals of the copy, with the way to them and the command that sends them', async () => {
    show({ approvedCount: 2 });
    await notices().filter({ hasText: 'Approvals of the restored copy wait for you 2 payouts' }).click();
    await dialog.getByText('2 payouts were approved in the restored copy', { exact: false }).waitFor();
    const commands = await dialog.locator('code').allInnerTexts();
    assert.deepEqual(commands, ['npm run admin -- reconcile --release-approved REASON']);
    assert.doesNotMatch(await dialog.innerText(), /\b0 |Last resort/);
    await dialog.getByRole('link', { name: 'Open Payouts, Checking' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL(/\/payouts\?state=parked$/);
  });

  it('says how many payouts and requests wait, and the whole commands, to be copied on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    await visit(page, queue);
    const { free, unlisted, stranger } = unaccountedPayments;
    show({
      pending: [{ method: 'dash', reason: 'Older.', since: free.at, trouble: null }],
      unaccounted: [free, unlisted, stranger],
      unaccountedCount: 3,
      reasons: [older],
      waitingPayoutCount: 1,
      waitingRequestCount: 3,
    });
    const notice = notices().filter({ hasText: /^Payouts are compared with the payments that were made/ });
    // One notice has no count behind it that no word explains.
    assert.match(await notice.innerText(), / wait for this\.$/);
    await notice.click();
    await dialog.getByText('1 payout and 3 requests wait for this.').waitFor();
    await dialog.getByText(older, { exact: true }).waitFor();
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
      const part = dialog.getByRole('paragraph').filter({ has: page.getByText(command, { exact: true }) });
      await part.getByRole('button', { name: 'Copy the command' }).click();
      await part.getByRole('button', { name: 'Copied' }).waitFor();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), command);
    }
    assert.deepEqual(await violations(page), []);
    assert.ok((await widerThanWindow(page)) <= 0);
    assert.deepEqual(complaints, []);
  });
});
