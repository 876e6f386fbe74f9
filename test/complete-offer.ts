import type { Page } from 'playwright-core';

/**
 * Completes the first offer of the simulated wall in the page's frame, and waits until the wall's next page shows the
 * site's answer. The page before may show an older answer, and a press on it would end the running one.
 */
export async function completeOffer(page: Page): Promise<void> {
  const wall = page.frameLocator('iframe');
  const shown = page.waitForResponse((answer) => /\/sandbox\/wall\/.*[?&]done=1/.test(answer.url()));
  await wall.getByRole('button', { name: 'Complete' }).first().click();
  await (await shown).finished();
  await wall.locator('.answer').first().waitFor();
}
