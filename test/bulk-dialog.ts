import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { sql } from '#platform/database.ts';
import type { Site } from './site.ts';

/** Opens the dialog of an approval of the selected requests, and chooses also those with a flag to look at. */
export async function openApproval(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Approve \d+( clean| flagged)?…$/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('button', { name: 'Cancel' })
    .or(dialog.getByRole('button', { name: 'Close' }).last())
    .first()
    .waitFor();
  await chooseFlagged(dialog);
  return dialog;
}

/** Chooses the requests with a flag to look at, if the act leaves any out. */
export async function chooseFlagged(dialog: Locator): Promise<void> {
  const choice = dialog.getByRole('checkbox', { name: /^Also approve / });
  if ((await choice.count()) > 0) await choice.check();
}

/** Opens the dialog of an act on all pending requests. */
export async function openAll(page: Page, name: 'Approve all…' | 'Reject all…'): Promise<Locator> {
  await page.getByRole('button', { name: 'All pending…' }).click();
  await page.getByRole('menuitem', { name }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
}

/**
 * Keeps the newest request of the next act locked, as a node does that decides it. The other requests wait until it is
 * locked. Returns what lets it go.
 */
export async function stopAtTheNewest(owner: Site['owner']): Promise<() => Promise<void>> {
  await owner.rows(sql`
    create function withdrawals.wait_for_test() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(7);
      return new;
    end $$`);
  await owner.rows(sql`
    create trigger wait_for_test before update on withdrawals.bulk_rows
    for each row execute function withdrawals.wait_for_test()`);
  const [isReady, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const session = owner.transaction(async (tx) => {
    await tx.rows(sql`select pg_advisory_lock(7)`);
    isReady.resolve();
    const lockNewest = () =>
      tx.row(sql`
        select place from withdrawals.bulk_rows
        where state = 'waiting' and withdrawal_id = (
          select id from withdrawals.withdrawals where state <> 'rejected' order by queue_number desc limit 1)
        for update`);
    while ((await lockNewest()) === undefined) await sleep(20);
    await tx.rows(sql`select pg_advisory_unlock(7)`);
    await isOver.promise;
  });
  await isReady.promise;
  return async () => {
    isOver.resolve();
    await session;
  };
}
