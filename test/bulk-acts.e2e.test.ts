import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { violations, widerThanWindow } from './browser.ts';
import { chooseFlagged } from './bulk-dialog.ts';
import { operatorPage } from './operator-browser.ts';

/**
 * Acts on many requests that outlive the page: closed in the middle, found again with their progress and the result of
 * each request, and taken back. In both languages, by keyboard, and on a phone.
 */
const { site, panel, openOperator, ...first } = await operatorPage(
  { after },
  { language: 'en', payoutDelaySeconds: 3_600 },
);
const queue = `${panel}/withdrawals`;
const phone = { width: 390, height: 844 };

const pendingCount = async () =>
  Number(
    (
      await site.owner.one<{ count: bigint }>(
        sql`select count(*) as count from withdrawals.withdrawals where state = 'pending'`,
      )
    ).count,
  );

/** The database takes no result of the newest request, until it is let go. The decision is undone with its result. */
async function stopAtTheNewest() {
  await site.owner.rows(sql`
    create function withdrawals.stop_at_newest() returns trigger language plpgsql as $$
    begin
      if new.withdrawal_id = (select id from withdrawals.withdrawals order by queue_number desc limit 1) then
        raise exception 'stopped by the test';
      end if;
      return new;
    end $$`);
  await site.owner.rows(sql`
    create trigger stop_at_newest before update on withdrawals.bulk_rows
    for each row execute function withdrawals.stop_at_newest()`);
}
const letGo = () => site.owner.rows(sql`drop function withdrawals.stop_at_newest() cascade`);

it('goes on when the page is closed, is found again with its progress, and is taken back', async () => {
  const { context, complaints } = first;
  const count = await pendingCount();
  assert.ok(count > 2, 'the demo world has requests');
  let page = await context.newPage();
  const dialog = () => page.getByRole('dialog');
  await stopAtTheNewest();
  await page.goto(queue);
  await page.getByRole('button', { name: 'All pending…' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Approve all…' }).press('Enter');
  await dialog()
    .getByRole('checkbox', { name: /^Also approve / })
    .press('Space');
  const sum = dialog().getByLabel('type the sum in points');
  await sum.waitFor();
  const { points } = (
    (await (
      await context.request.get(`${site.origin}/api/admin/withdrawals/planned?withFlagged=true`)
    ).json()) as { approval: { points: string } }
  ).approval;
  await sum.fill(points);
  await sum.press('Enter');
  await dialog()
    .getByText(`${count - 1} of ${count} done`, { exact: true })
    .waitFor();
  await dialog().getByText('It goes on when this page is closed.', { exact: false }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.close();
  page = await context.newPage();
  await page.goto(queue);
  await page.getByRole('button', { name: new RegExp(`^Approving ${count}: \\d+ done`) }).click();
  await dialog().getByRole('button', { name: 'Show the progress' }).click();
  await dialog()
    .getByText(`${count - 1} of ${count} done`, { exact: true })
    .waitFor();
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await letGo();
  await page
    .getByRole('button', { name: new RegExp(`^${count} requests you approved: see the result`) })
    .click();
  await dialog().getByRole('button', { name: 'Show the result' }).click();
  await dialog().getByText(`${count} approved`).waitFor();
  assert.equal(await dialog().getByRole('listitem').filter({ hasText: 'Approved.' }).count(), count);
  assert.deepEqual(await violations(page), []);
  assert.equal(await pendingCount(), 0);
  await dialog()
    .getByRole('button', { name: `Take ${count} back` })
    .click();
  await dialog().getByText(`${count} taken back, nothing was sent`).waitFor();
  assert.equal(await pendingCount(), count);
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await page.goto(queue);
  await page.locator('tbody').getByRole('row').first().waitFor();
  assert.equal(await page.getByText('you approved: see the result').count(), 0, 'a seen result is no notice');
  assert.deepEqual(complaints, []);
  await page.close();
});

it('has totals by method, progress and results in Korean on a phone, within the reach of a thumb', async () => {
  const { page, context, complaints } = await openOperator('ko', { viewport: phone });
  await page.goto(queue);
  const count = await pendingCount();
  await page
    .getByRole('button', { name: '더 보기' })
    .or(page.getByRole('button', { name: '기타 작업' }))
    .first()
    .click();
  await page.getByRole('menuitem', { name: '모두 거절…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('table', { name: '출금 방식별' }).waitFor();
  assert.deepEqual(await violations(page), []);
  assert.ok((await widerThanWindow(page)) <= 0);
  await chooseFlagged(dialog);
  const reject = dialog.getByRole('button', { name: new RegExp(`^${count}건, .* 거절$`) });
  const box = await reject.boundingBox();
  assert.ok(box !== null && box.height >= 44 && box.y > phone.height / 2, 'in the lower half');
  const planned = (await (
    await context.request.get(`${site.origin}/api/admin/withdrawals/planned`)
  ).json()) as { rejection: { points: string } };
  await dialog.getByLabel('이유').fill('같은 주소를 쓰는 계정이 있습니다.');
  await dialog.getByLabel('합계를 포인트로').fill(planned.rejection.points);
  await reject.click();
  await dialog.getByText(`${count}건 거절`, { exact: true }).waitFor();
  assert.equal(
    await dialog.getByRole('listitem').filter({ hasText: '거절했고 포인트를 돌려주었습니다.' }).count(),
    count,
  );
  assert.deepEqual(await violations(page), []);
  assert.ok((await widerThanWindow(page)) <= 0);
  assert.equal(await pendingCount(), 0);
  assert.deepEqual(complaints, []);
  await context.close();
});
