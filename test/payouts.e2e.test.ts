import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sentence } from '#contract/operator-sentences.ts';
import { sql } from '#platform/database.ts';
import { pressInTurn, settle, violations, visit, wrongField } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { queueParts } from './queue-parts.ts';

/** What an operator sees of payouts in the browser: each with its state, why one is not done, and what can be done. */
const { site, headers, panel, read, page } = await operatorPage(
  { after },
  { language: 'en', payoutDelaySeconds: 3_600 },
);

const queue = `${panel}/withdrawals`;
const payouts = `${panel}/payouts`;
const sheet = page.getByRole('complementary');

type Row = {
  id: string;
  amount: string;
  status: string;
  payoutState: string;
  rejectionReason: string | null;
};
const readRows = async (query: string) =>
  ((await read(`withdrawals-data?${query}`)) as { withdrawals: Row[] }).withdrawals;

/** The calls of the list of payouts. */
const listed = /\/api\/admin\/payouts\?/;
/** What an operator can do about a payout in trouble. */
const acts = ['check', 'retry', 'settle', 'fail'];

const { dialog, readsFirst, rowOf } = queueParts(page);

type Total = { state: string; count: number };
const countOf = async (states: readonly string[]) =>
  ((await read('payouts/totals')) as Total[])
    .filter(({ state }) => states.includes(state))
    .reduce((sum, { count }) => sum + count, 0);

/** Approves a pending request in Litecoin. */
async function approveOne(): Promise<Row> {
  const [row] = await readRows('status=pending&method=litecoin');
  assert.ok(row);
  const answer = await page.request.post(`${site.origin}/api/admin/withdrawals/${row.id}/approve`, {
    headers,
  });
  assert.equal(answer.status(), 200, await answer.text());
  return row;
}

describe('the payouts', () => {
  it('are opened by keyboard, and an approval is taken back', async () => {
    const { id } = await approveOne();
    await page.goto(panel);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await visit(page, `${queue}?status=approved`);
    await rowOf(id)
      .getByText(/^Leaves in \d+/)
      .waitFor();
    await pressInTurn(page, 'g', 'y');
    await page.waitForURL(`${payouts}*`);
    await rowOf(id).getByRole('button').focus();
    await page.keyboard.press('Enter');
    const undone = page.waitForResponse(/\/undo$/);
    await sheet.getByRole('button', { name: 'Take the approval back' }).click();
    assert.equal((await undone).status(), 200);
    await page.getByText(/ is pending again\. Nothing was sent\./).waitFor();
    await rowOf(id).waitFor({ state: 'detached' });
  });
});

describe('a payout in trouble', () => {
  it('shows in its dialogs what they ask for', async () => {
    const possible = 'f00d'.repeat(16);
    const exact: string[] = [];
    await page.route(listed, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { payouts: { coinAmount: string }[] };
      const found = answer.payouts.map((payout) => ({
        ...payout,
        state: 'parked',
        trouble: 'Its signature is lost.',
        isTroubled: true,
        acts,
        holder: { host: 'node-one', pid: 4_711, since: '2026-07-31T00:00:00.000Z' },
        troubleAt: '2026-07-31T00:00:00.000Z',
        possibleTxIds: [possible],
        possiblePayments: [
          {
            txId: possible,
            coinAmount: '0.02000000',
            at: '2026-07-31T00:00:00.000Z',
            address: 'ltc1qother',
            isSameAddress: false,
          },
          ...exact.map((txId) => ({
            txId,
            coinAmount: payout.coinAmount,
            at: null,
            address: null,
            isSameAddress: true,
          })),
        ],
      }));
      await route.fulfill({ response, json: { ...answer, payouts: found } });
    });
    const { id } = await approveOne();
    await visit(page, `${queue}?status=approved&open=${id}`);
    await sheet.getByRole('status', { name: 'Why it is not done' }).getByText('Its signature').waitFor();
    assert.equal(await sheet.getByRole('button', { name: 'Next', exact: true }).count(), 0);
    assert.equal(await sheet.getByText(/^Approved /).count(), 0, 'the time of the approval is said once');
    await page.getByRole('button', { name: 'Try again…' }).click();
    const said = await readsFirst();
    for (const fact of [/f00d f00d f00d/, /0\.02000000 LTC, .*31/, /To another recipient: ltc1 qoth er/])
      assert.match(said, fact);
    await dialog.getByText('Its signature is lost.').waitFor();
    await dialog.getByText(/Since July 31, 2026 at \d+:00:00\s[AP]M\./).waitFor();
    await dialog.getByText(/[\d.]+ LTC is paid/).waitFor();
    await dialog.getByLabel('Reason').fill('It was never sent');
    await dialog.getByRole('button', { name: /^Try [\d.]+ LTC again$/ }).click();
    await dialog.getByText('Compare the payments first').waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Mark as paid…' }).click();
    await dialog.getByLabel('Reason').fill('It was paid by hand');
    await dialog.getByRole('button', { name: 'Mark as paid' }).click();
    await dialog.getByText('Transaction ID is required').waitFor();
    const field = dialog.getByRole('textbox', { name: 'Transaction' });
    assert.ok(await field.evaluate((element) => element === document.activeElement));
    assert.equal(await field.inputValue(), '', 'the listed payment goes to another recipient');
    await field.fill(possible);
    await dialog.getByRole('button', { name: 'Mark as paid' }).click();
    await dialog.getByText('The paying wallet does not list this transaction', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    exact.push('beef'.repeat(16));
    await sheet.getByText('beef beef', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Mark as paid…' }).click();
    assert.equal(await field.inputValue(), exact[0], 'the only payment of the amount to the recipient');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1000, height: 900 });
    await page.getByRole('button', { name: 'Give up…' }).click();
    const read = page.getByText('the member reads it');
    await read.waitFor();
    await page.keyboard.press('Escape');
    await read.waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).searchParams.get('open'), id, 'Escape left the sheet open');
    await page.keyboard.press('Escape');
    await page.locator('[data-sheet]').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit(page, `${payouts}?open=${id}`);
    await sheet.getByText('node-one, process 4711').waitFor();
    await sheet.getByRole('status', { name: 'Why it is not done' }).getByText('Its signature').waitFor();
    await sheet.getByRole('button', { name: 'Give up…' }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('opens its dialogs at their title, with the buttons in reach above a phone’s keyboard', async () => {
    await page.route(listed, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { payouts: object[] };
      const fault = { trouble: 'The wallet is locked. '.repeat(12), isTroubled: true, acts };
      const found = answer.payouts.map((payout) => ({ ...payout, ...fault }));
      await route.fulfill({ response, json: { ...answer, payouts: found } });
    });
    const approved = await readRows('status=approved');
    const id = approved.find(({ payoutState }) => payoutState === 'queued')?.id;
    await page.setViewportSize({ width: 390, height: 480 });
    await visit(page, `${queue}?status=approved&open=${id}`);
    await page.getByText('The wallet is locked. The wallet is locked.').first().waitFor();
    for (const [open, submit] of [
      ['Mark as paid…', /^Mark as paid$/],
      ['Give up…', /^Return [\d,]+\sP$/],
    ] as const) {
      await page.getByRole('button', { name: open }).click();
      await readsFirst();
      await settle(page);
      const inReach = async (name: RegExp | string) => {
        const box = await dialog.getByRole('button', { name }).boundingBox();
        assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 480, `${name} ${JSON.stringify(box)}`);
      };
      const title = await dialog.getByRole('heading', { level: 2 }).boundingBox();
      assert.ok(title !== null && title.y >= 0, 'the title is in sight');
      await inReach(submit);
      await inReach('Cancel');
      const field = page.getByLabel('Reason');
      await field.focus();
      await settle(page);
      await inReach(submit);
      const [typed, button] = [
        await field.boundingBox(),
        await dialog.getByRole('button', { name: submit }).boundingBox(),
      ];
      assert.ok(
        typed && button && typed.y >= 0 && typed.y + typed.height <= button.y,
        'the field is in sight',
      );
      if (open === 'Mark as paid…') assert.deepEqual(await violations(page), []);
      else {
        await dialog.getByRole('heading', { level: 2 }).scrollIntoViewIfNeeded();
        await dialog.getByRole('button', { name: submit }).click();
        const missing = dialog.getByText('Reason is required');
        await missing.waitFor();
        await settle(page);
        const [said, foot] = [
          await missing.boundingBox(),
          await dialog.getByRole('button', { name: submit }).boundingBox(),
        ];
        assert.ok(
          said && foot && said.y >= 0 && said.y + said.height <= foot.y - 12,
          'the error is in sight',
        );
        assert.ok(
          await field.evaluate((element) => element === document.activeElement),
          'the field has the focus',
        );
      }
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await field.waitFor({ state: 'detached' });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('asks for the amount of a payment that is not what the request was worth', async () => {
    const possible = 'f00d'.repeat(16);
    await page.route(/\/api\/admin\/withdrawals-data/, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { withdrawals: object[] };
      const withdrawals = answer.withdrawals.map((row) => ({ ...row, possibleTxIds: [possible] }));
      await route.fulfill({ response, json: { ...answer, withdrawals } });
    });
    const bodies: unknown[] = [];
    const detail = 'It pays 0.90000000, and an approval would have paid 0.02000000 then.';
    await page.route(/\/api\/admin\/payouts\/[^/]+\/settle$/, async (route) => {
      bodies.push(route.request().postDataJSON());
      const code = 'payment-mismatch';
      const extensions = { acceptableAmount: '0.90000000' };
      const problem = { type: 'about:blank', title: 'Conflict', status: 409, code, detail, ...extensions };
      await route.fulfill({ status: 409, contentType: 'application/problem+json', json: problem });
    });
    const [row] = await readRows('status=pending');
    await page.goto(`${queue}?status=pending&open=${row?.id}`);
    await page.getByRole('button', { name: 'Mark as paid…' }).click();
    await dialog.getByLabel('Reason').fill('It was paid before the restore');
    assert.equal(await dialog.getByLabel('Amount that it paid').count(), 0);
    await dialog.getByRole('button', { name: 'Mark as paid' }).click();
    await dialog.getByText(detail, { exact: false }).waitFor();
    await wrongField(page, detail);
    await dialog.getByLabel('Amount that it paid').fill('0.9');
    const answered = page.waitForResponse(/settle$/);
    await dialog.getByRole('button', { name: 'Mark as paid' }).click();
    await answered;
    const given = { reason: 'It was paid before the restore', txId: possible };
    assert.deepEqual(bodies, [given, { ...given, acceptedAmount: '0.9' }]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('a payout that was approved again at another rate', () => {
  it('is marked as paid with the amount that was paid', async () => {
    const possible = 'beef'.repeat(16);
    await page.route(listed, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { payouts: object[] };
      const trouble = `${sentence('payout-possibly-paid')} ${sentence('possible-payments', { paymentList: possible })}`;
      const fault = { state: 'parked', trouble, isTroubled: true };
      const payment = {
        txId: possible,
        coinAmount: '0.02480000',
        at: null,
        address: null,
        isSameAddress: null,
      };
      const named = { possibleTxIds: [possible], possiblePayments: [payment], acts };
      const found = answer.payouts.map((payout) => ({ ...payout, ...fault, ...named }));
      await route.fulfill({ response, json: { ...answer, payouts: found } });
    });
    const bodies: unknown[] = [];
    const detail = 'It pays this recipient 0.02480000, and the payout is 0.02490000.';
    await page.route(/\/api\/admin\/payouts\/[^/]+\/settle$/, async (route) => {
      bodies.push(route.request().postDataJSON());
      const extensions = bodies.length === 1 ? {} : { acceptableAmount: '0.02480000' };
      const problem = {
        type: 'about:blank',
        title: 'Conflict',
        status: 409,
        code: 'payment-mismatch',
        detail,
      };
      const json = { ...problem, ...extensions };
      await route.fulfill({ status: 409, contentType: 'application/problem+json', json });
    });
    const approved = await readRows('status=approved');
    const id = approved.find(({ payoutState }) => payoutState === 'queued')?.id;
    await visit(page, `${queue}?status=approved&open=${id}`);
    await sheet.getByText('beef beef', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Mark as paid…' }).click();
    await dialog.getByText('you can accept that amount', { exact: false }).waitFor();
    // The list says the transaction, so the sentence does not.
    const said = await page.getByRole('dialog').last().innerText();
    assert.match(said, /This payout may be paid already\. Since /);
    assert.equal(said.replaceAll(' ', '').split(possible).length, 2, said);
    await dialog.getByRole('textbox', { name: 'Transaction' }).fill(possible);
    await dialog.getByLabel('Reason').fill('It was paid before the restore');
    const submit = async () => {
      const answered = page.waitForResponse(/settle$/);
      await dialog.getByRole('button', { name: 'Mark as paid' }).click();
      await answered;
      await dialog.getByText(detail, { exact: false }).waitFor();
    };
    const amount = dialog.getByLabel('Amount that it paid');
    await submit();
    assert.equal(await amount.count(), 0, 'not offered for what the server does not take');
    await submit();
    await amount.fill('0.0248');
    await submit();
    const given = { reason: 'It was paid before the restore', txId: possible };
    assert.deepEqual(bodies, [given, given, { ...given, acceptedAmount: '0.0248' }]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('a payout that is not done', () => {
  it('shows why an approved request is not paid, and gives it up with a reason', async () => {
    const { id, amount } = await approveOne();
    await visit(page, `${queue}?status=approved&open=${id}`);
    await sheet.getByText(/^It is prepared at \d+:\d\d\s[AP]M\.$/).waitFor();
    const facts = (await sheet.innerText()).replace(/\s+/g, ' ');
    assert.match(facts, /Decided .*\d+:\d\d [AP]M \(just now\) Payout Queued It is prepared/);
    assert.equal(facts.match(/Approved/g)?.length, 1, 'the approval is said once');
    await sheet.getByRole('button', { name: 'Take the approval back' }).waitFor();
    assert.equal(await sheet.getByRole('status').count(), 0, 'no banner while nothing is wrong');
    for (const act of ['Try again…', 'Mark as paid…', 'Give up…'])
      assert.equal(await sheet.getByRole('button', { name: act }).count(), 0, act);
    await site.owner.rows(sql`
      update withdrawals.payouts set not_before = platform.business_now(), trouble = 'The node is not reachable.'
      where withdrawal_id = ${id}`);
    const banner = sheet.getByRole('status', { name: 'Why it is not done' });
    await banner.getByText('The node is not reachable.').waitFor();
    await page.reload();
    await sheet.getByText('In trouble', { exact: true }).waitFor();
    await rowOf(id).getByText('In trouble', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Give up…' }).click();
    await dialog.getByLabel('Reason').fill('The member asked for it');
    await dialog.getByRole('button', { name: `Return ${Number(amount).toLocaleString('en-US')} P` }).click();
    await page.getByText('The points are back.').waitFor();
    const given = (await readRows(`id=${id}`))[0];
    assert.deepEqual([given?.status, given?.rejectionReason], ['rejected', 'The member asked for it']);
  });
});

// Last, because the demo world's payouts are paid meanwhile.
describe('the states of payouts', () => {
  it('are counted by state, and each count opens its payouts', async () => {
    const rows = page.locator('tbody').getByRole('row');
    const views = page.getByRole('navigation', { name: 'Payouts by state' });
    await page.goto(payouts);
    for (const [name, state, states] of [
      ['Queued', 'queued', ['queued']],
      ['All', 'all', ['queued', 'signed', 'broadcast', 'parked', 'confirmed', 'failed']],
      ['Paid', 'confirmed', ['confirmed']],
    ] as const) {
      const count = (await countOf(states)).toLocaleString('en-US');
      await views
        .getByRole('link', { name: `${name}${count}` })
        .or(views.getByRole('link', { name: `${name} ${count}` }))
        .click();
      await page.waitForURL((url) => url.searchParams.get('state') === state);
      assert.equal(await views.locator('[aria-current="page"]').count(), 1);
    }
    await page.waitForFunction(() => {
      const shown = [...document.querySelectorAll('tbody tr')];
      return shown.length > 0 && shown.every(({ textContent }) => textContent.includes('Paid'));
    });
    await rows.first().getByRole('button').click();
    await sheet.getByText('This payout has ended. Nothing can be changed.').waitFor();
    assert.equal(await sheet.getByRole('button', { name: 'Try again…' }).count(), 0);
    // The sheet has one way to the member.
    assert.equal(await sheet.getByRole('link', { name: /^Member/ }).count(), 1);
  });
});
