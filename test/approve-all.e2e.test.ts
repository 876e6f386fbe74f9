import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { violations } from './browser.ts';
import { chooseFlagged, openAll } from './bulk-dialog.ts';
import { operatorPage } from './operator-browser.ts';

/**
 * The acts on all pending requests: what they say before they decide, and that they decide no more. And approvals of
 * so many selected ones that the sum is typed.
 */
const { site, panel, requestWithdrawal, page, context, complaints } = await operatorPage(
  { after },
  { language: 'en', payoutDelaySeconds: 3_600 },
);

type Pending = { id: string };
const waiting = async () => {
  const path = '/api/admin/withdrawals-data?status=pending&limit=100';
  const answer = await context.request.get(site.origin + path);
  return ((await answer.json()) as { withdrawals: Pending[] }).withdrawals;
};
/** What is planned with the requests that have a flag to look at. The page plans too, and plans take turns. */
const planned = async () => {
  const path = `${site.origin}/api/admin/withdrawals/planned?withFlagged=true`;
  let answer = await context.request.get(path);
  while (answer.status() === 429) answer = await context.request.get(path);
  assert.equal(answer.status(), 200);
  return ((await answer.json()) as { approval: { count: number; points: string } }).approval;
};

it('§2-2 withdrawals: approves all that can be approved, and says how many stay and why', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${panel}/withdrawals`);
  const [held] = (await waiting()).slice(-1);
  assert.ok(held);
  await site.owner.rows(sql`
    insert into withdrawals.request_checks (withdrawal_id, possible_references, reason, found_at)
    values (${held.id}, '{listed}', 'This request may be paid already.', platform.business_now())`);
  const before = await planned();
  assert.ok(before.count > 0 && before.count < (await waiting()).length);
  const dialog = page.getByRole('dialog');
  const approve = (count: number) => dialog.getByRole('button', { name: `Approve ${count}, ` });
  const sum = dialog.getByLabel('type the sum in points');
  await openAll(page, 'Approve all…');
  await chooseFlagged(dialog);
  await dialog.getByRole('table', { name: 'By method' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await dialog
    .getByText('1 request can’t be approved now and stays pending: May be paid already (1).', {
      exact: false,
    })
    .waitFor();
  await approve(before.count).click();
  await dialog.getByText(/^The sum is [\d,]+\sP$/).waitFor();
  assert.ok(await sum.evaluate((element) => element === document.activeElement));
  assert.deepEqual(await violations(page), []);
  await requestWithdrawal('1002');
  await sum.fill(Number(before.points).toLocaleString('en-US'));
  await approve(before.count).click();
  await dialog.getByRole('alert').getByText('none was decided').waitFor();
  complaints.splice(0);
  assert.equal(await approve(before.count).count(), 0, 'what was seen can’t be approved any more');
  await dialog.getByRole('button', { name: 'Show the new numbers' }).click();
  const after = await planned();
  await approve(after.count).waitFor();
  await dialog.getByRole('status').getByText('The numbers above are new.', { exact: false }).waitFor();
  assert.equal(await dialog.getByRole('alert').count(), 0);
  assert.equal(await sum.inputValue(), '');
  assert.ok(await sum.evaluate((element) => element === document.activeElement));
  assert.deepEqual(await violations(page), []);
  await sum.fill(after.points);
  await approve(after.count).click();
  await dialog.getByText(`${after.count} approved`).waitFor();
  await dialog.getByText('1 stays pending, as announced').waitFor();
  assert.equal(await dialog.getByText('not done').count(), 0);
  await dialog.getByRole('listitem').getByText('may have been paid already', { exact: false }).waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(
    (await waiting()).map(({ id }) => id),
    [held.id],
  );
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await dialog.waitFor({ state: 'detached' });
  await openAll(page, 'Approve all…');
  await dialog.getByRole('heading', { name: 'No request can be approved now' }).waitFor();
  assert.equal(await dialog.getByRole('button', { name: /^Approve/ }).count(), 0);
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await dialog.waitFor({ state: 'detached' });
});

it('speaks of rejecting where all are rejected, and says that nothing can be', async () => {
  const dialog = await openAll(page, 'Reject all…');
  await dialog.getByRole('heading', { name: 'No request can be rejected now' }).waitFor();
  await dialog
    .getByText('1 request can’t be rejected now and stays pending: May be paid already (1).')
    .waitFor();
  assert.doesNotMatch(await dialog.innerText(), /approve|decide/i);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
});

it('asks for the typed sum where so many are approved together, or so much', async () => {
  const path = `${site.origin}/api/admin/withdrawals-data?status=pending&limit=100`;
  const answer = await context.request.get(path);
  const { withdrawals, ...rest } = (await answer.json()) as { withdrawals: { amount: string }[] };
  const [one] = withdrawals;
  assert.ok(one);
  const dialog = page.getByRole('dialog');
  const sum = dialog.getByLabel('type the sum in points');
  for (const [count, amount, isTyped] of [
    [9, '1000', false],
    [10, '1000', true],
    [1, '49999', false],
    [1, '50000', true],
  ] as const) {
    const free = { ...one, amount, flags: [], approvalObstacle: null, rejectionObstacle: null };
    const rows = Array.from({ length: count }, () => ({ ...free, id: crypto.randomUUID() }));
    await page.route(/\/api\/admin\/withdrawals-data/, (route) =>
      route.fulfill({ json: { ...rest, withdrawals: rows, totalCount: count, totalPages: 1 } }),
    );
    await page.goto(`${panel}/withdrawals`);
    await page.getByRole('checkbox', { name: 'Select all pending requests on this page' }).check();
    await page.getByRole('button', { name: `Approve ${count}…` }).click();
    const approve = dialog.getByRole('button', { name: `Approve ${count}, ` });
    await approve.waitFor();
    assert.equal(await sum.count(), isTyped ? 1 : 0, `${count} of ${amount}`);
    if (isTyped) {
      await approve.click();
      await dialog.getByText(/^The sum is [\d,]+\sP$/).waitFor();
      assert.deepEqual(await violations(page), []);
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
  }
});
