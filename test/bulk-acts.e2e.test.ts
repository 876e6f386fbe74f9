import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { settle, violations, visit, widerThanWindow } from './browser.ts';
import { shareAddressOfOldest, stopAtTheNewest, waitForLock } from './bulk-act-states.ts';
import { chooseFlagged, openAll, openApproval } from './bulk-dialog.ts';
import { ofTurn } from './combinations.ts';
import { operatorPage } from './operator-browser.ts';

/**
 * Acts on many requests: on selected ones and on all pending ones, what they say before they decide, and that they
 * outlive the page: closed in the middle, found again with their progress, stopped, and taken back.
 */
const { site, headers, panel, openOperator, requestWithdrawal, context, ...first } = await operatorPage(
  { after },
  { language: 'en', payoutDelaySeconds: 3_600, path: '/withdrawals' },
);
const queue = `${panel}/withdrawals`;
let { page } = first;
const dialogOf = () => page.getByRole('dialog');

type Listed = { id: string; status: string; flags: string[] };
const listed = async (status?: 'pending'): Promise<Listed[]> => {
  const path = `/api/admin/withdrawals-data?sort=createdAt&limit=100${status ? `&status=${status}` : ''}`;
  return (await (await context.request.get(site.origin + path)).json()).withdrawals;
};

type Plan = Record<'approval' | 'rejection', { count: number; points: string }>;
/** What is planned with all pending requests, also those to look at. The page plans too, and plans take turns. */
async function planned(): Promise<Plan> {
  const path = `${site.origin}/api/admin/withdrawals/planned?withFlagged=true`;
  let answer = await context.request.get(path);
  while (answer.status() === 429) answer = await context.request.get(path);
  assert.equal(answer.status(), 200);
  return answer.json();
}

async function close() {
  await dialogOf().getByRole('button', { name: 'Close', exact: true }).last().click();
  await dialogOf().waitFor({ state: 'detached' });
}

const words = {
  en: {
    checks: /^Checks \d+ passed/,
    person: ['Joined', 'Balance after this', 'Phone', 'Devices', 'Taken back', 'Suspensions'],
    sources: 'Where the points came from',
    former: 'History',
    first: 'First payout',
    never: 'No payment has gone there.',
    requested: 'Requested',
  },
  ko: {
    checks: /^점검 \d+개 통과/,
    person: ['가입', '출금 후 잔액', '전화번호', '기기', '회수', '정지'],
    sources: '포인트 출처',
    former: '이력',
    first: '첫 지급',
    never: '이 주소로 지급한 적이 없습니다.',
    requested: '신청',
  },
} as const;
const combinations = (['en', 'ko'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [1440, 390].map((width) => ({ language, colorScheme, width })),
  ),
);
/** Korean, dark, on a phone: what the other tests of the queue use least. */
const TURN = 7;

describe('the sheet of a pending request', () => {
  for (const { language, colorScheme, width } of ofTurn(combinations, TURN))
    it(`says all that is known of it: ${language}, ${colorScheme}, ${width} px`, async () => {
      const { page, context, complaints } = await openOperator(language, {
        viewport: { width, height: 900 },
        colorScheme,
      });
      const text = words[language];
      const first = (await listed('pending')).find(({ flags }) => flags.includes('first-payout'));
      assert.ok(first, 'the demo world has a first payout');
      await page.goto(`${queue}?open=${first.id}`);
      const sheet = page.getByRole(width < 1024 ? 'dialog' : 'complementary');
      await sheet.getByRole('heading', { name: text.checks }).waitFor();
      for (const label of text.person) await sheet.getByText(label, { exact: true }).first().waitFor();
      await sheet.getByText(text.never).waitFor();
      const failed = sheet.getByRole('listitem').filter({ hasText: text.first });
      assert.equal(await failed.first().getAttribute('data-verdict'), 'look');
      const verdicts = await sheet
        .locator('li[data-verdict]')
        .evaluateAll((items) => items.map((item) => item.getAttribute('data-verdict')));
      assert.equal(verdicts.length, 13);
      assert.deepEqual(
        verdicts,
        verdicts.toSorted((one, other) => Number(one === 'pass') - Number(other === 'pass')),
      );
      const sources = sheet.getByRole('region', { name: text.sources });
      assert.ok((await sources.getByRole('row').count()) >= 2);
      await sheet.getByRole('region', { name: text.former }).waitFor();
      await sheet.getByRole('listitem').filter({ hasText: text.requested }).first().waitFor();
      await settle(page);
      assert.equal(await widerThanWindow(page), 0);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(complaints, []);
      await context.close();
    });
});

describe('an act on selected requests', () => {
  it('reaches all of a view, on whatever page they are, until another view is shown', async () => {
    // Two rows are on a page, and three in an answer with those of all pages.
    await page.route('**/api/admin/withdrawals-data?*', (route) => {
      const url = route.request().url().replace('limit=20', 'limit=2').replace('limit=100', 'limit=3');
      return route.continue({ url });
    });
    await visit(page, `${queue}?minAmount=1`);
    const all = (await listed('pending')) as (Listed & { amount: string })[];
    const { length: count } = all;
    assert.ok(count > 3, 'the demo world has requests');
    const bar = (count: number) => page.getByRole('region', { name: `${count} selected`, exact: true });
    await page.getByRole('button', { name: 'Page 2', exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all pending requests on this page' }).check();
    const selectAll = bar(2).getByRole('button', { name: `Select all ${count} in this view` });
    await selectAll.waitFor();
    await page.keyboard.press('Shift+A');
    await bar(count).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Page 2', exact: true }).click();
    const third = page.locator(`[id="row-${all[2]?.id}"]`);
    await third.waitFor();
    const boxes = page.locator('tbody').getByRole('checkbox');
    assert.equal(await boxes.and(page.locator(':checked')).count(), 2);
    await boxes.first().uncheck();
    const begin = bar(count - 1).getByRole('button', { name: /^Approve / });
    await begin.click();
    const title = dialogOf().getByRole('heading', { name: `Approve ${count - 1} withdrawals?` });
    await title.waitFor();
    const sum = all.reduce((points, { amount }, at) => (at === 2 ? points : points + Number(amount)), 0);
    const approve = `Approve ${count - 1}, ${sum.toLocaleString('en-US')}\u00a0P`;
    await dialogOf().getByRole('button', { name: approve }).waitFor();
    await dialogOf().getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').click();
    await bar(count - 1).waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
    await visit(page, queue);
  });

  it('approves them and reports each result', async () => {
    const rows = page.locator('tbody').getByRole('row').filter({ hasText: 'Litecoin' });
    await rows.first().waitFor();
    const ids: string[] = [];
    for (const row of [rows.nth(0), rows.nth(1)]) {
      ids.push(((await row.getByRole('button').getAttribute('id')) ?? '').replace('row-', ''));
      await row.getByRole('checkbox').check();
    }
    const dialog = await openApproval(page);
    const totals = dialog.getByRole('table', { name: 'By method' });
    await totals.getByRole('row', { name: /^Litecoin 2 / }).waitFor();
    const left = totals.getByRole('row', { name: /^Litecoin 2 [^–…]* [−\d$][\d$.,]+$/ });
    await left.waitFor();
    await page.getByRole('columnheader', { name: 'Wallet after' }).waitFor();
    await dialog.getByText('An approval can be taken back for a moment. Then it is sent.').waitFor();
    await dialog.getByRole('button', { name: /^Approve 2, / }).click();
    await dialog.getByText('2 approved').waitFor();
    assert.equal(await dialog.getByRole('listitem').filter({ hasText: 'Approved.' }).count(), 2);
    assert.deepEqual(await violations(page), []);
    await close();
    const decided = (await listed()).filter((request) => ids.includes(request.id));
    assert.deepEqual(
      decided.map(({ status }) => status),
      ['approved', 'approved'],
    );
  });

  it('says nothing of approvals where none of them was approved', async () => {
    const id = await requestWithdrawal('1003');
    const row = page.locator('tbody').getByRole('row').filter({ hasText: '1,003' }).first();
    await row.getByRole('checkbox').check();
    const dialog = await openApproval(page);
    const approve = dialog.getByRole('button', { name: /^Approve 1, / });
    const path = `${site.origin}/api/admin/withdrawals/${id}/reject`;
    const data = { reason: 'Decided by somebody else meanwhile' };
    assert.equal((await context.request.post(path, { headers, data })).status(), 200);
    await approve.click();
    await dialog.getByText('1 not done').waitFor();
    assert.doesNotMatch(await dialog.innerText(), /approved$/m);
    await close();
  });
});

describe('an act on all pending requests', () => {
  it('goes on when the page is closed, is found again with its progress, is stopped and taken back', async (test) => {
    const { length: count } = await listed('pending');
    assert.ok(count > 2, 'the demo world has requests');
    await shareAddressOfOldest(site.owner);
    const letGo = await stopAtTheNewest(site.owner, test);
    await page.getByRole('button', { name: 'All pending…' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Approve all…' }).press('Enter');
    await dialogOf()
      .getByRole('checkbox', { name: /^Also approve / })
      .press('Space');
    const sum = dialogOf().getByLabel('type the sum in points');
    await sum.waitFor();
    await sum.fill((await planned()).approval.points);
    await sum.press('Enter');
    const progress = () => dialogOf().getByText(`${count - 1} of ${count} done`, { exact: true });
    await progress().waitFor();
    await dialogOf().getByText('It goes on when this page is closed.', { exact: false }).waitFor();
    assert.deepEqual(await violations(page), []);
    const next = await context.newPage();
    await page.close();
    page = next;
    await page.goto(queue);
    await page.getByRole('button', { name: new RegExp(`^Approving ${count}: \\d+ done`) }).click();
    await dialogOf().getByRole('button', { name: 'Show the progress' }).click();
    await progress().waitFor();
    // The stop waits for the request that is decided at this moment, and comes before the next try of the node.
    await dialogOf().getByRole('button', { name: 'Stop' }).click();
    await waitForLock(site.owner);
    await close();
    await letGo();
    const result = `${count} requests you approved: see the result`;
    await page.getByRole('button', { name: new RegExp(`^${result}`) }).click();
    await dialogOf().getByRole('button', { name: 'Show the result' }).click();
    const done = count - 1;
    await dialogOf().getByText(`${done} approved`).waitFor();
    await dialogOf().getByText('1 not done').waitFor();
    await dialogOf().getByText('An operator stopped the act before this request was decided.').waitFor();
    assert.equal(await dialogOf().getByRole('listitem').filter({ hasText: 'Approved.' }).count(), done);
    assert.equal((await listed('pending')).length, 1);
    const takeBack = dialogOf().getByRole('button', { name: `Take ${done} back` });
    await takeBack.click();
    await dialogOf().getByText(`${done} taken back, nothing of these was sent`).waitFor();
    assert.equal((await listed('pending')).length, count);
    await close();
    // A result that was seen is no notice any more.
    await page.getByText(result).waitFor({ state: 'detached' });
  });

  it('§2-2 withdrawals: approves all that can be approved, and says how many stay and why', async () => {
    const [held] = (await listed('pending')).slice(-1);
    assert.ok(held);
    await site.owner.rows(sql`
      insert into withdrawals.request_checks (withdrawal_id, possible_references, reason, found_at)
      values (${held.id}, '{listed}', 'This request may be paid already.', platform.business_now())`);
    const { approval: before } = await planned();
    assert.ok(before.count > 0 && before.count < (await listed('pending')).length);
    const approve = (count: number) => dialogOf().getByRole('button', { name: `Approve ${count}, ` });
    const sum = dialogOf().getByLabel('type the sum in points');
    const dialog = await openAll(page, 'Approve all…');
    await chooseFlagged(dialog);
    await dialog.getByRole('table', { name: 'By method' }).waitFor();
    const left = dialog.getByRole('region', { name: 'Left out, they stay pending 1' });
    await left
      .getByRole('listitem')
      .filter({ hasText: 'Blocked' })
      .getByText('May be paid already (1)')
      .waitFor();
    assert.match(
      (await left.getByRole('link', { name: 'Show' }).getAttribute('href')) ?? '',
      /flag=blocked$/,
    );
    await approve(before.count).click();
    await dialog.getByText(/^The sum is [\d,]+\sP$/).waitFor();
    assert.ok(await sum.evaluate((element) => element === document.activeElement));
    assert.deepEqual(await violations(page), []);
    await requestWithdrawal('1002');
    await sum.fill(Number(before.points).toLocaleString('en-US'));
    await approve(before.count).click();
    await dialog.getByRole('alert').getByText('none was decided').waitFor();
    assert.equal(await approve(before.count).count(), 0, 'what was seen can’t be approved any more');
    await dialog.getByRole('button', { name: 'Show the new numbers' }).click();
    const { approval: after } = await planned();
    await approve(after.count).waitFor();
    await dialog.getByRole('status').getByText('The numbers above are new.', { exact: false }).waitFor();
    assert.equal(await dialog.getByRole('alert').count(), 0);
    assert.equal(await sum.inputValue(), '');
    assert.ok(await sum.evaluate((element) => element === document.activeElement));
    await sum.fill(after.points);
    await approve(after.count).click();
    await dialog.getByText(`${after.count} approved`).waitFor();
    await dialog.getByText('1 stays pending, as announced').waitFor();
    assert.equal(await dialog.getByText('not done').count(), 0);
    await dialog.getByRole('listitem').getByText('may have been paid already', { exact: false }).waitFor();
    assert.deepEqual(
      (await listed('pending')).map(({ id }) => id),
      [held.id],
    );
    await close();
  });

  it('says that no request can be approved, or rejected, in the words of that act', async () => {
    const dialog = await openAll(page, 'Approve all…');
    await dialog.getByRole('heading', { name: 'No request can be approved now' }).waitFor();
    assert.equal(await dialog.getByRole('button', { name: /^Approve/ }).count(), 0);
    await close();
    await openAll(page, 'Reject all…');
    await dialog.getByRole('heading', { name: 'No request can be rejected now' }).waitFor();
    await dialog
      .getByRole('region', { name: 'Left out, they stay pending 1' })
      .getByText('May be paid already (1)')
      .waitFor();
    assert.doesNotMatch(await dialog.innerText(), /approve|decide/i);
    await close();
  });

  it('is offered only without a search or another filter', async () => {
    const all = page.getByRole('button', { name: 'All pending…' });
    // The offer comes and goes in turn, so that each address shows it by itself.
    for (const [query, state] of [
      ['?q=example.org', 'detached'],
      ['?sort=-amount', 'visible'],
      ['?method=dash', 'detached'],
      ['', 'visible'],
      ['?minAmount=1500', 'detached'],
      ['?sort=-createdAt', 'visible'],
      ['?status=rejected', 'detached'],
    ] as const) {
      await visit(page, queue + query);
      await all.waitFor({ state });
    }
  });
});

it('asks for the typed sum where so many are approved together, or so much', async () => {
  const path = `${site.origin}/api/admin/withdrawals-data?status=pending&limit=100`;
  const { withdrawals, ...rest } = await (await context.request.get(path)).json();
  const free = { ...withdrawals[0], flags: [], approvalObstacle: null, rejectionObstacle: null };
  const amounts = [...Array.from({ length: 10 }, () => '1000'), '49999', '50000'];
  const made = amounts.map((amount) => ({ ...free, amount, id: crypto.randomUUID() }));
  const json = { ...rest, withdrawals: made, totalCount: made.length, totalPages: 1 };
  await page.route(/\/api\/admin\/withdrawals-data/, (route) => route.fulfill({ json }));
  await visit(page, `${queue}?sort=amount`);
  const boxes = page.locator('tbody').getByRole('checkbox');
  await boxes.nth(made.length - 1).waitFor();
  const all = page.getByRole('checkbox', { name: 'Select all pending requests on this page' });
  const turn = async (...places: number[]) => {
    for (const at of places) await boxes.nth(at).click();
  };
  /** Whether the sum is typed in the dialog of the approval of so many. */
  const isTyped = async (count: number) => {
    await page.getByRole('button', { name: `Approve ${count}…` }).click();
    const approve = dialogOf().getByRole('button', { name: `Approve ${count}, ` });
    await approve.waitFor();
    const isAsked = (await dialogOf().getByLabel('type the sum in points').count()) > 0;
    if (isAsked) {
      await approve.click();
      await dialogOf()
        .getByText(/^The sum is [\d,]+\sP$/)
        .waitFor();
    }
    await dialogOf().getByRole('button', { name: 'Cancel' }).click();
    await dialogOf().waitFor({ state: 'detached' });
    return isAsked;
  };
  await all.check();
  await turn(9, 10, 11);
  assert.equal(await isTyped(9), false);
  await turn(9);
  assert.equal(await isTyped(10), true);
  await all.check();
  await all.uncheck();
  await turn(10);
  assert.equal(await isTyped(1), false);
  await turn(10, 11);
  assert.equal(await isTyped(1), true);
  await page.unrouteAll({ behavior: 'wait' });
  await page.close();
});

it('rejects all in Korean on a phone, with totals and results within the reach of a thumb', async () => {
  await requestWithdrawal('1004');
  const phone = { width: 390, height: 844 };
  const { page, complaints } = await openOperator('ko', { viewport: phone });
  await page.goto(queue);
  const { rejection } = await planned();
  assert.equal(rejection.count, 1);
  await page
    .getByRole('button', { name: '더 보기' })
    .or(page.getByRole('button', { name: '기타 작업' }))
    .first()
    .click();
  await page.getByRole('menuitem', { name: '모두 거절…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('table', { name: '출금 방식별' }).waitFor();
  assert.ok((await widerThanWindow(page)) <= 0);
  const reject = dialog.getByRole('button', { name: /^1건, .* 거절$/ });
  await settle(page);
  const box = await reject.boundingBox();
  assert.ok(box !== null && box.height >= 44 && box.y > phone.height / 2, 'in the lower half');
  await dialog.getByLabel('이유').fill('같은 주소를 쓰는 계정이 있습니다.');
  await dialog.getByLabel('합계를 포인트로').fill(rejection.points);
  await reject.click();
  await dialog.getByText('1건 거절', { exact: true }).waitFor();
  const results = dialog.getByRole('listitem').filter({ hasText: '거절했고 포인트를 돌려주었습니다.' });
  assert.equal(await results.count(), 1);
  assert.ok((await widerThanWindow(page)) <= 0);
  // The one that may be paid already.
  assert.equal((await listed('pending')).length, 1);
  assert.deepEqual(complaints, []);
});
