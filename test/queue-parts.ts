import type { Page } from 'playwright-core';

/** The operators' withdrawal queue in the browser: its rows, its line of notices, and its dialogs. */
export function queueParts(page: Page) {
  /** The line of notices, and the dialog that it opens. */
  const notices = () => page.getByRole('main').getByRole('status').getByRole('button');
  const dialog = page.getByRole('dialog').last();
  /** The text that describes the dialog, once the focus is on its title. */
  const readsFirst = async () => {
    const title = dialog.getByRole('heading', { level: 2 });
    await title.and(page.locator(':focus')).waitFor();
    const id = await dialog.getAttribute('aria-describedby');
    return page.locator(`[id="${id}"]`).innerText();
  };
  /** The row of a request in the list. */
  const rowOf = (id: string) =>
    page
      .locator('tbody')
      .getByRole('row')
      .filter({ has: page.locator(`[id="row-${id}"]`) });
  return { notices, dialog, readsFirst, rowOf };
}
