import type { Locator, Page } from 'playwright-core';

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
